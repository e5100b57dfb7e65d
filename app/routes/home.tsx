import { preload } from "react-dom";
import { AddToBasket } from "#app/basket/add-to-basket.tsx";
import { readCatalogue } from "#app/catalogue/catalogue.server.ts";
import { ProductRows } from "#app/catalogue/product-rows.tsx";
import type { Route } from "./+types/home";

export const handle = { header: true, footerBar: true };

const wide = "/pictures/hero-960.avif 960w, /pictures/hero-1440.avif 1440w, /pictures/hero-2000.avif 2000w";
const tall =
	"/pictures/hero-tall-480.avif 480w, /pictures/hero-tall-900.avif 900w, /pictures/hero-tall-1200.avif 1200w";

const promise = "We sell half a dozen products and nothing else, so choosing takes a minute.";

const hero = { as: "image", type: "image/avif", imageSizes: "100vw", fetchPriority: "high" } as const;

export async function loader({ context }: Route.LoaderArgs) {
	const { products } = await readCatalogue(context);
	return { products };
}

export default function Home({ loaderData }: Route.ComponentProps) {
	// the hero is what the first page is waited for: it is asked for before the rest
	if (import.meta.env.SSR) {
		preload("/pictures/hero-tall-900.avif", { ...hero, imageSrcSet: tall, media: "(width < 760px)" });
		preload("/pictures/hero-1440.avif", { ...hero, imageSrcSet: wide, media: "(width >= 760px)" });
	}
	return (
		<>
			<title>Half Dozen: six things, all of them good</title>
			<meta name="description" content={promise} />
			<section className="hero">
				<picture>
					<source media="(width < 760px)" type="image/avif" srcSet={tall} sizes="100vw" width="900" height="1100" />
					<source type="image/avif" srcSet={wide} sizes="100vw" />
					<source media="(width < 760px)" srcSet="/pictures/hero-tall-900.webp" width="900" height="1100" />
					<img src="/pictures/hero-1440.webp" width="2000" height="720" alt="" fetchPriority="high" />
				</picture>
				<div className="wrap">
					<h1>Six things. All of them good.</h1>
					<p>{promise}</p>
				</div>
			</section>
			<ProductRows products={loaderData.products} action={(product) => <AddToBasket product={product} />} />
		</>
	);
}
