import { AddToBasket } from "#app/basket/add-button.tsx";
import { homeHeading, homeTitle, promise } from "#app/brand.ts";
import { readCatalogue, toListed } from "#app/catalogue/catalogue.server.ts";
import { Hero } from "#app/catalogue/hero.tsx";
import { ProductRows } from "#app/catalogue/product-rows.tsx";
import { PageTags } from "#app/frame/page-tags.tsx";
import { requestContext } from "#app/http/request-context.server.ts";
import type { Route } from "./+types/home";

export async function loader({ context }: Route.LoaderArgs) {
	const catalogue = await readCatalogue(context.get(requestContext));
	return { products: catalogue.map(toListed) };
}

export default function Home({ loaderData }: Route.ComponentProps) {
	return (
		<>
			<PageTags title={homeTitle} description={promise} />
			<section className="hero">
				<div className="wrap">
					<h1>{homeHeading}</h1>
					<p>{promise}</p>
				</div>
				<Hero products={loaderData.products} Action={AddToBasket} />
			</section>
			<ProductRows products={loaderData.products} Action={AddToBasket} />
		</>
	);
}
