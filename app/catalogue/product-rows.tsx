import type { ComponentType } from "react";
import { Link } from "react-router";
import { Mark } from "#app/ui/mark.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { pageStyles } from "#app/ui/page-styles.tsx";
import { Picture } from "./picture.tsx";
import { wide } from "./picture-widths.ts";
import { type ListedProduct, shortName } from "./product.ts";
import stylesheet from "./rows.css?url";
import { splitIntoRows } from "./rows.ts";
import { Stars } from "./stars.tsx";

const styles = pageStyles(stylesheet);

/** The Add to Basket button. It is a prop because catalogue/ must not import basket/. */
export type ProductAction = ComponentType<{ product: ListedProduct; isSmall?: boolean }>;

/** Renders the products in rows of cards, for the home page and the 404 page. */
export function ProductRows({ products, Action }: { products: ListedProduct[]; Action: ProductAction }) {
	return (
		<div className="wrap rows">
			{styles}
			{splitIntoRows(products).map((row) => (
				<div className={row.length === 1 ? "row wide" : "row"} key={row[0]?.id}>
					{row.map((product) => (
						<article className="card" key={product.id}>
							{/* a shop's only product may have no wide picture */}
							{row.length === 1 && products.length > 1 ? (
								<Picture
									image={product.image.replace("-640.", "-wide-640.")}
									alt={product.alt}
									widths={wide}
									ratio={2}
									sizes="min(100vw - 72px, max(600px, 32vw - 40px))"
								/>
							) : (
								<Picture image={product.image} alt={product.alt} sizes="min(100vw - 72px, max(300px, 16vw - 20px))" />
							)}
							<h2>{product.title}</h2>
							<p className="meta">
								<span className="price">{formatMoney(product.priceCents)}</span>
								<Stars rating={product.rating} />
								{product.status === "sold_out" && <strong>Sold out</strong>}
							</p>
							<Mark lit={products.indexOf(product)} />
							<div className="buttons">
								<Link
									className="button info"
									to={`/product/${product.id}`}
									aria-label={`More Info: ${shortName(product.title)}`}
								>
									{/* crawlers read a link's text, not its aria-label: each text must be unique */}
									More Info<span className="unseen">{`: ${shortName(product.title)}`}</span>
								</Link>
								<Action product={product} />
							</div>
						</article>
					))}
				</div>
			))}
		</div>
	);
}
