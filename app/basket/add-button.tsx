import { useId, useState } from "react";
import { type ListedProduct, shortName } from "#app/catalogue/product.ts";
import { announce, Toast } from "#app/ui/announcer.tsx";
import { addToBasket } from "./change-basket.tsx";

export function AddToBasket({ product }: { product: ListedProduct }) {
	const [added, setAdded] = useState(0);
	const anchor = useId();
	const isSoldOut = product.status === "sold_out";

	function add() {
		if (isSoldOut) announce(`${shortName(product.title)} is sold out.`, { anchor });
		else if (addToBasket(product, anchor)) setAdded((added) => added + 1);
	}

	return (
		<>
			<button
				type="button"
				className="button main"
				// `disabled` would take the button, and with it the reason, out of the tab order
				aria-disabled={isSoldOut || undefined}
				onClick={add}
				aria-label={`Add to Basket: ${shortName(product.title)}${isSoldOut ? ", sold out" : ""}`}
			>
				Add to Basket
				{/* covers the label for a moment; the key restarts the animation */}
				{added > 0 && (
					<span className="added" key={added} aria-hidden>
						Added
					</span>
				)}
			</button>
			<Toast anchor={anchor} />
		</>
	);
}
