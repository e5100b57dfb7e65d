import { useEffect, useRef, useState } from "react";
import { LineItem } from "#app/basket/line-item.tsx";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { LocalDate } from "#app/ui/date.tsx";
import { formatMoney } from "#app/ui/money.ts";
import type { Order } from "./orders.server.ts";

/** An order with its date as formatted by the server. */
type DatedOrder = Order & { date: string };

/** Renders a page of orders. Marks and announces orders that are added or updated while the page is open. */
export function OrderList({ orders }: { orders: DatedOrder[] }) {
	const [first] = useState(() => statuses(orders));
	const previous = useRef(first);
	const announce = useAnnounce();
	useEffect(() => {
		const changed = orders.filter(({ id, status }) => previous.current.get(id) !== status);
		previous.current = statuses(orders);
		const [order] = changed;
		if (!order) return;
		const amount = formatMoney(order.amount);
		if (changed.length > 1) announce(`${changed.length} of your orders are new or updated.`);
		else if (order.status === "refunded") announce(`Your ${amount} order was refunded.`);
		else announce(`You have a new order for ${amount}.`);
	}, [orders, announce]);
	return orders.map((order) => (
		<OrderCard key={order.id} order={order} isChanged={first.get(order.id) !== order.status} />
	));
}

function statuses(orders: Order[]): ReadonlyMap<string, string> {
	return new Map(orders.map(({ id, status }) => [id, status]));
}

function OrderCard({ order, isChanged }: { order: DatedOrder; isChanged: boolean }) {
	return (
		<article className={isChanged ? "sheet order changed" : "sheet order"} aria-label={`Order ${order.id}`}>
			<header>
				<div>
					Placed
					<b>
						<LocalDate seconds={order.created} text={order.date} />
					</b>
				</div>
				<div>
					Order
					<code>{order.id}</code>
				</div>
				{order.status === "refunded" && <strong>Refunded</strong>}
			</header>
			<ul>
				{order.basket.map((item, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: an order's line items never change
					<LineItem key={index} item={item} />
				))}
			</ul>
			<footer>
				Order Total: <b>{formatMoney(order.amount)}</b>
			</footer>
		</article>
	);
}
