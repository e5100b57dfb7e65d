import type { ReactNode } from "react";
import { Link } from "react-router";
import { Mark } from "#app/ui/mark.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { Picture } from "./picture.tsx";
import type { Product } from "./product.ts";
import { Stars } from "./stars.tsx";

interface ProductCardProps {
	product: Product;
	/** Which of the six it is, counted from 0. */
	place: number;
	/** The Add to Basket button: the catalogue does not know the basket. */
	action: ReactNode;
	/** The card that has a row to itself. */
	wide?: boolean;
}

export function ProductCard({ product, place, action, wide = false }: ProductCardProps) {
	return (
		<article className="card">
			{wide ? (
				<Picture
					image={product.image.replace("-640.", "-wide-640.")}
					widths={[640, 1200, 1600]}
					ratio={2}
					sizes="(width < 45em) 92vw, max(640px, 32vw)"
				/>
			) : (
				<Picture image={product.image} sizes="(width < 45em) 88vw, max(320px, 16vw)" />
			)}
			<h2>{product.title}</h2>
			<p className="meta">
				<span className="price">{formatMoney(product.priceCents)}</span>
				<Stars rating={product.rating} />
			</p>
			<Mark lit={place} />
			<div className="buttons">
				<Link
					className="button info"
					to={`/product/${product.id}`}
					prefetch="intent"
					viewTransition
					aria-label={`More Info: ${product.title}`}
				>
					{/* crawlers read words and no labels: six links of the same would tell them nothing */}
					More Info<span>{`: ${product.title}`}</span>
				</Link>
				{action}
			</div>
		</article>
	);
}
