import { useState } from "react";
import type { Product } from "#app/catalogue/product.ts";
import { addToBasket } from "./change-basket.tsx";

export function AddToBasket({ product }: { product: Product }) {
	const [added, setAdded] = useState(0);
	return (
		<button
			type="button"
			className="button main"
			onClick={() => addToBasket(product) && setAdded((added) => added + 1)}
			aria-label={`Add to Basket: ${product.title}`}
		>
			Add to Basket
			{/* covers the label for a moment; the key restarts the animation */}
			{added > 0 && (
				<span className="added" key={added} aria-hidden>
					Added
				</span>
			)}
		</button>
	);
}
