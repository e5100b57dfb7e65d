import type { ReactNode } from "react";
import { Picture } from "#app/catalogue/picture.tsx";
import { Stars } from "#app/catalogue/stars.tsx";
import { formatMoney } from "#app/ui/money.ts";
import type { BasketItem } from "./basket.ts";

/** An item in the basket or in an order. `children` are the item's actions. */
export function LineItem({ item, children }: { item: BasketItem; children?: ReactNode }) {
	return (
		<li className="line-item">
			<Picture image={item.image} sizes="104px" />
			<div>
				<p className="name">{item.title}</p>
				<Stars rating={item.rating} />
				{children}
			</div>
			<span className="price">{formatMoney(item.priceCents)}</span>
		</li>
	);
}
