import { preload } from "react-dom";
import { Link } from "react-router";
import { pictureName } from "./picture.tsx";
import { hero, tallHero } from "./picture-widths.ts";
import { type ListedProduct, priceOrSoldOut, shortName } from "./product.ts";
import type { ProductAction } from "./product-rows.tsx";

/** The banner by day, and by night for the dark theme. */
const times = ["", "-night"] as const;
type Time = (typeof times)[number];

/** Phones show the tall picture. */
const phone = "(width < 40em)";
/** In windows narrower than 50em, the stylesheet crops a third of the wide picture's width. */
const wideSizes = "(width < 50em) 150vw, 100vw";

const wide = (time: Time) => hero.map((width) => `/pictures/hero${time}-${width}.avif ${width}w`).join(", ");
const tall = (time: Time) => tallHero.map((width) => `/pictures/hero-tall${time}-${width}.avif ${width}w`).join(", ");

/** Renders the banner with a link to each product, and preloads its picture for the system's theme, because it is the
 *  largest contentful paint. A visitor whose saved theme differs preloads one picture in vain. A script in the head that
 *  preloaded the saved theme's picture would wait for the stylesheets before it, so the picture would start later for
 *  every visitor. */
export function Hero({ products, Action }: { products: ListedProduct[]; Action: ProductAction }) {
	if (import.meta.env.SSR) {
		for (const time of times) {
			const options = { as: "image", type: "image/avif", fetchPriority: "high" } as const;
			const theme = `(prefers-color-scheme: ${time ? "dark" : "light"})`;
			preload(`/pictures/hero-tall${time}-760.avif`, {
				...options,
				...{ imageSrcSet: tall(time), imageSizes: "100vw", media: `${theme} and ${phone}` },
			});
			preload(`/pictures/hero${time}-1440.avif`, {
				...options,
				...{ imageSrcSet: wide(time), imageSizes: wideSizes, media: `${theme} and (width >= 40em)` },
			});
		}
	}
	return (
		<div className="scene">
			{/* the stylesheet hides the other theme's picture, which is lazy so that it is not loaded */}
			{times.map((time) => (
				<picture key={time} className={`hero-picture${time}`}>
					<source media={phone} type="image/avif" srcSet={tall(time)} sizes="100vw" width="760" height="929" />
					<source type="image/avif" srcSet={wide(time)} sizes={wideSizes} />
					<source media={phone} srcSet={`/pictures/hero-tall${time}-760.webp`} width="760" height="929" />
					<img
						src={`/pictures/hero${time}-1440.webp`}
						width="2000"
						height="720"
						alt=""
						loading="lazy"
						fetchPriority="high"
					/>
				</picture>
			))}
			{/* hero.css places each price beside its product, where there is room */}
			<ul>
				{products.map((product) => (
					<li className={pictureName(product.image)} key={product.id}>
						<Link to={`/product/${product.id}`}>
							<small>{shortName(product.title)}</small> <b>{priceOrSoldOut(product)}</b>
						</Link>
						<Action product={product} isSmall />
					</li>
				))}
			</ul>
		</div>
	);
}
