import { useId, useState } from "react";
import { type ListedProduct, shortName } from "#app/catalogue/product.ts";
import { announce, Toast } from "#app/ui/announcer.tsx";
import { addToBasket } from "./change-basket.tsx";

/** Renders the button, or only a plus sign for a product that has another button on the page. */
export function AddToBasket({ product, isSmall }: { product: ListedProduct; isSmall?: boolean }) {
	const [added, setAdded] = useState(0);
	const anchor = useId();
	const isSoldOut = product.status === "sold_out";
	const name = shortName(product.title);

	function add() {
		if (isSoldOut) announce(`${name} is sold out.`, { anchor });
		else if (addToBasket(product, anchor)) setAdded((added) => added + 1);
	}

	return (
		<>
			<button
				type="button"
				className={isSmall ? "button main plus" : "button main"}
				// `disabled` would take the button, and with it the reason, out of the tab order
				aria-disabled={isSoldOut || undefined}
				onClick={add}
				aria-label={`${isSmall ? `Add ${name} to basket` : `Add to Basket: ${name}`}${isSoldOut ? ", sold out" : ""}`}
			>
				<span>{isSmall ? "+" : "Add to Basket"}</span>
				{/* covers the label for a moment; the key restarts the animation */}
				{added > 0 && (
					<span className="added" key={added} aria-hidden>
						{isSmall ? "✓" : "Added"}
					</span>
				)}
			</button>
			<Toast anchor={anchor} />
		</>
	);
}
