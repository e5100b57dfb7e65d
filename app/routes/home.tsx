import { preload } from "react-dom";
import { AddToBasket } from "#app/basket/add-to-basket.tsx";
import { readCatalogue } from "#app/catalogue/catalogue.server.ts";
import { ProductRows } from "#app/catalogue/product-rows.tsx";
import { PageTags } from "#app/shell/page-tags.tsx";
import type { Route } from "./+types/home";

const wide = [960, 1440, 2000].map((width) => `/pictures/hero-${width}.avif ${width}w`).join(", ");
const tall = [480, 760, 1200].map((width) => `/pictures/hero-tall-${width}.avif ${width}w`).join(", ");

const promise = "We carry half a dozen products and nothing else, so choosing only takes a minute.";

const hero = { as: "image", type: "image/avif", imageSizes: "100vw", fetchPriority: "high" } as const;

export async function loader({ context }: Route.LoaderArgs) {
	const { products } = await readCatalogue(context);
	return { products };
}

export default function Home({ loaderData }: Route.ComponentProps) {
	// the hero image is the largest contentful paint, so preload it first
	if (import.meta.env.SSR) {
		preload("/pictures/hero-tall-760.avif", { ...hero, imageSrcSet: tall, media: "(width < 760px)" });
		preload("/pictures/hero-1440.avif", { ...hero, imageSrcSet: wide, media: "(width >= 760px)" });
	}
	return (
		<>
			<PageTags title="Half Dozen: six things, all of them good" description={promise} />
			<section className="hero">
				<picture>
					<source media="(width < 760px)" type="image/avif" srcSet={tall} sizes="100vw" width="760" height="929" />
					<source type="image/avif" srcSet={wide} sizes="100vw" />
					<source media="(width < 760px)" srcSet="/pictures/hero-tall-760.webp" width="760" height="929" />
					<img src="/pictures/hero-1440.webp" width="2000" height="720" alt="" fetchPriority="high" />
				</picture>
				<div className="wrap">
					<h1>Six things. All of them good.</h1>
					<p>{promise}</p>
				</div>
			</section>
			<ProductRows products={loaderData.products} Action={AddToBasket} />
		</>
	);
}
