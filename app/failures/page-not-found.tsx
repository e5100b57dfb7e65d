import { AddToBasket } from "#app/basket/add-button.tsx";
import { notFoundText, pageTitle } from "#app/brand.ts";
import type { ListedProduct } from "#app/catalogue/product.ts";
import { ProductRows } from "#app/catalogue/product-rows.tsx";

export function PageNotFound({ products }: { products: ListedProduct[] }) {
	return (
		<>
			<title>{pageTitle("Page Not Found")}</title>
			<div className="wrap page">
				<h1>Page Not Found</h1>
				<p>{notFoundText}</p>
			</div>
			<ProductRows products={products} Action={AddToBasket} />
		</>
	);
}
