import { useEffect, useRef, useState } from "react";
import { ItemList } from "#app/basket/item-list.tsx";
import { OrderTotal } from "#app/basket/order-total.tsx";
import { announce } from "#app/ui/announcer.tsx";
import { LocalDate } from "#app/ui/date.tsx";
import { formatMoney } from "#app/ui/money.ts";
import type { Order } from "./order-page.server.ts";

/** An order with its date as formatted by the server. */
export type DatedOrder = Order & { date: string };

/** Renders a page of orders, except that of the receipt. Marks orders that are added while the page is open, and
 *  announces orders that are added or updated. */
export function OrderList({ orders, receipt }: { orders: DatedOrder[]; receipt: string | undefined }) {
	const [first] = useState(() => byId(orders));
	const previous = useRef(first);
	useEffect(() => {
		const before = previous.current;
		const changed = orders.filter((order) => !isUnchanged(order, before.get(order.id)));
		previous.current = byId(orders);
		const [order] = changed;
		if (!order) return;
		if (changed.length > 1) announce(`${changed.length} of your orders are new or updated.`);
		else announce(describeChange(order, before.get(order.id)));
	}, [orders]);
	const listed = orders.filter(({ id }) => id !== receipt);
	return listed.map((order) => (
		<OrderCard key={order.id} order={order} isNew={order.status === "paid" && !first.has(order.id)} />
	));
}

function byId(orders: Order[]): ReadonlyMap<string, Order> {
	return new Map(orders.map((order) => [order.id, order]));
}

const isUnchanged = (order: Order, before?: Order) =>
	order.status === before?.status && order.refunded === before.refunded;

function describeChange(order: Order, before: Order | undefined): string {
	const amount = formatMoney(order.amount, order.currency);
	if (order.status === "refunded") return `Your ${amount} order was refunded.`;
	if (!before) return `You have a new order for ${amount}.`;
	if (before.status === "refunded" || order.refunded < before.refunded)
		return `The refund for your ${amount} order failed.`;
	return `${formatMoney(order.refunded, order.currency)} of your ${amount} order was refunded.`;
}

/** Renders an order: as a part of the receipt, or marked as new. */
export function OrderCard(props: { order: DatedOrder; isReceipt?: boolean; isNew?: boolean }) {
	const { order, isReceipt, isNew } = props;
	const total = formatMoney(order.amount, order.currency);
	return (
		<article className={isReceipt ? "step order" : isNew ? "sheet order changed" : "sheet order"}>
			<header>
				<h2>
					<span>
						Order of <LocalDate seconds={order.created} text={order.date} />
					</span>
				</h2>
				{isNew && <strong>New order</strong>}
				{order.status === "refunded" && <strong>{`Refunded ${total}`}</strong>}
				{order.status === "paid" && order.refunded > 0 && (
					<strong>{`${formatMoney(order.refunded, order.currency)} of this was refunded`}</strong>
				)}
			</header>
			<ItemList items={order.basket} currency={order.currency} />
			<OrderTotal amount={order.amount} currency={order.currency} />
			<footer>
				<span>
					Order number <b translate="no">{order.id.slice(-8)}</b>
				</span>
				<code translate="no">{order.id}</code>
			</footer>
		</article>
	);
}
