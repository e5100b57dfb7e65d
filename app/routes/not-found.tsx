import { data } from "react-router";
import { AddToBasket } from "#app/basket/add-to-basket.tsx";
import { readCatalogue } from "#app/catalogue/catalogue.server.ts";
import { ProductRows } from "#app/catalogue/product-rows.tsx";
import { PageNotFound } from "#app/ui/page-not-found.tsx";
import type { Route } from "./+types/not-found";

export async function loader({ context }: Route.LoaderArgs) {
	const { products } = await readCatalogue(context);
	return data({ products }, { status: 404 });
}

export default function NotFound({ loaderData }: Route.ComponentProps) {
	return (
		<PageNotFound>
			<ProductRows products={loaderData.products} action={(product) => <AddToBasket product={product} />} />
		</PageNotFound>
	);
}
