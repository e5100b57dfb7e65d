import type { ReactNode } from "react";
import { Link } from "react-router";
import { Picture } from "#app/catalogue/picture.tsx";
import { Stars } from "#app/catalogue/stars.tsx";
import type { BasketItem } from "#app/tab/basket.ts";
import { formatMoney } from "#app/ui/money.ts";

export interface ItemListProps {
	items: (BasketItem & {
		/** Whether the product is no longer sold and has no page. */
		isWithdrawn?: boolean;
		/** Set if equal items are one line. */
		quantity?: number;
	})[];
	/** The shop's by default. */
	currency?: string;
	/** Renders the actions of an item. */
	action?: ((item: BasketItem, index: number) => ReactNode) | undefined;
}

/** Lists the items in the basket or in an order. A line's price is that of its quantity. */
export function ItemList({ items, currency, action }: ItemListProps) {
	return (
		<ul>
			{items.map((item, index) => (
				// duplicates have the same id
				// biome-ignore lint/suspicious/noArrayIndexKey: line items have no state
				<li className="line-item" key={index}>
					<Picture image={item.image} sizes="104px" widths={[320]} />
					<div>
						<p className="name">
							{item.isWithdrawn ? item.title : <Link to={`/product/${item.id}`}>{item.title}</Link>}
						</p>
						{!item.quantity && <Stars rating={item.rating} />}
					</div>
					{item.quantity && (
						<span className="quantity">
							<span className="unseen">Quantity:</span> <span>{item.quantity}</span>
						</span>
					)}
					{item.quantity && item.quantity > 1 && <small>{`${formatMoney(item.priceCents, currency)} each`}</small>}
					<span className="price">{formatMoney(item.priceCents * (item.quantity ?? 1), currency)}</span>
					{action?.(item, index)}
				</li>
			))}
		</ul>
	);
}
