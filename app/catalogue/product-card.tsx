import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatMoney } from "#app/ui/money.ts";
import { Picture } from "./picture.tsx";
import type { Product } from "./product.ts";
import { Stars } from "./stars.tsx";

interface ProductCardProps {
	product: Product;
	/** The Add to Basket button: the catalogue does not know the basket. */
	action: ReactNode;
	/** The card that has a row to itself. */
	wide?: boolean;
}

export function ProductCard({ product, action, wide = false }: ProductCardProps) {
	return (
		<article className="card">
			<h2>{product.title}</h2>
			<p className="meta">
				<span className="price">{formatMoney(product.priceCents)}</span>
				<Stars rating={product.rating} />
			</p>
			<div className="shelf">
				{wide ? (
					<Picture
						image={product.image.replace("-640.", "-wide-640.")}
						widths={[640, 1200, 1600]}
						ratio={2}
						sizes="(width < 760px) 92vw, 700px"
					/>
				) : (
					<Picture image={product.image} sizes="(width < 660px) 88vw, (width < 980px) 44vw, 540px" />
				)}
			</div>
			<div className="buttons">
				<Link
					className="button"
					to={`/product/${product.id}`}
					prefetch="intent"
					aria-label={`More Info: ${product.title}`}
				>
					More Info
				</Link>
				{action}
			</div>
		</article>
	);
}
