import { AddToBasket } from "#app/basket/add-button.tsx";
import type { ListedProduct } from "#app/catalogue/product.ts";
import { ProductRows } from "#app/catalogue/product-rows.tsx";

export function PageNotFound({ products }: { products: ListedProduct[] }) {
	return (
		<>
			<title>Page Not Found · Half Dozen</title>
			<div className="wrap page">
				<h1>Page Not Found</h1>
				<p>Sorry, there is nothing here. These are the six things we do have.</p>
			</div>
			<ProductRows products={products} Action={AddToBasket} />
		</>
	);
}
