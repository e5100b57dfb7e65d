import type { Product } from "#app/catalogue/product.ts";
import { useShopping } from "./app-state.tsx";

export function AddToBasket({ product }: { product: Product }) {
	const { add } = useShopping();
	return (
		<button
			type="button"
			className="button main"
			onClick={() => add(product)}
			aria-label={`Add to Basket: ${product.title}`}
		>
			Add to Basket
		</button>
	);
}
