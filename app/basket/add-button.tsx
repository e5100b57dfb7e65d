import { useId, useState } from "react";
import { type Product, shortName } from "#app/catalogue/product.ts";
import { Toast } from "#app/ui/announcer.tsx";
import { addToBasket } from "./change-basket.tsx";

export function AddToBasket({ product }: { product: Product }) {
	const [added, setAdded] = useState(0);
	const anchor = useId();
	return (
		<>
			<button
				type="button"
				className="button main"
				onClick={() => addToBasket(product, anchor) && setAdded((added) => added + 1)}
				aria-label={`Add to Basket: ${shortName(product.title)}`}
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
