import type { ReactNode } from "react";
import type { Product } from "./product.ts";
import { ProductCard } from "./product-card.tsx";

interface ProductRowsProps {
	products: Product[];
	action: (product: Product) => ReactNode;
}

/** The home page's rows of 2, 3 and 1 cards. */
export function ProductRows({ products, action }: ProductRowsProps) {
	const rows = [products.slice(0, 2), products.slice(2, 5), products.slice(5)];
	return (
		<div className="wrap rows">
			{rows.map((row) => (
				<div className={row.length === 1 ? "row wide" : "row"} key={row[0]?.id}>
					{row.map((product) => (
						<ProductCard
							key={product.id}
							product={product}
							place={products.indexOf(product)}
							action={action(product)}
							wide={row.length === 1}
						/>
					))}
				</div>
			))}
		</div>
	);
}
