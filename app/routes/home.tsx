import { preload } from "react-dom";
import { AddToBasket } from "#app/basket/add-to-basket.tsx";
import { readCatalogue, toListed } from "#app/catalogue/catalogue.server.ts";
import { Hero, listHeroFiles } from "#app/catalogue/hero.tsx";
import { ProductRows } from "#app/catalogue/product-rows.tsx";
import { requestContext } from "#app/request-context.server.ts";
import { PageTags } from "#app/shell/page-tags.tsx";
import type { Route } from "./+types/home";

const promise = "We carry half a dozen products and nothing else, so choosing only takes a minute.";

export async function loader({ context }: Route.LoaderArgs) {
	const catalogue = await readCatalogue(context.get(requestContext));
	return { products: catalogue.map(toListed) };
}

export default function Home({ loaderData }: Route.ComponentProps) {
	// the hero is the largest contentful paint, so preload the picture of the system's theme
	if (import.meta.env.SSR) {
		for (const { scheme, media, href, srcSet, sizes } of listHeroFiles()) {
			preload(href, {
				as: "image",
				type: "image/avif",
				imageSrcSet: srcSet,
				imageSizes: sizes,
				fetchPriority: "high",
				media: `(prefers-color-scheme: ${scheme}) and ${media}`,
			});
		}
	}
	return (
		<>
			<PageTags title="Half Dozen: six things, each chosen on purpose" description={promise} />
			<section className="hero">
				<Hero time="" />
				<Hero time="-night" />
				<div className="wrap">
					<h1>Six things. Each chosen on purpose.</h1>
					<p>{promise}</p>
				</div>
			</section>
			<ProductRows products={loaderData.products} Action={AddToBasket} />
		</>
	);
}
