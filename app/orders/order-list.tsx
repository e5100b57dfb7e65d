import { useEffect, useRef, useState } from "react";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { OrderCard } from "./order-card.tsx";
import type { Order } from "./orders.server.ts";

/** An order with the server's text for its date. */
type DatedOrder = Order & { date: string };

/** A page of orders. What comes in or changes while it is looked at is marked, and said without interrupting. */
export function OrderList({ orders }: { orders: DatedOrder[] }) {
	const news = useNews(orders);
	return orders.map((order) => <OrderCard key={order.id} order={order} isNews={news.has(order.id)} />);
}

const nothing: ReadonlySet<string> = new Set();

/** The ids of the orders that were not there, or not so, when the list was first shown. */
function useNews(orders: Order[]): ReadonlySet<string> {
	const [news, setNews] = useState(nothing);
	const known = useRef<Map<string, string> | null>(null);
	const announce = useAnnounce();
	useEffect(() => {
		const before = known.current;
		known.current = new Map(orders.map(({ id, status }) => [id, status]));
		const changed = before ? orders.filter(({ id, status }) => before.get(id) !== status) : [];
		const [first] = changed;
		if (!first) return;
		setNews((news) => new Set([...news, ...changed.map(({ id }) => id)]));
		if (changed.length > 1) announce(`${changed.length} of your orders are new or have changed.`);
		else if (first.status === "refunded") announce(`Your order of ${formatMoney(first.amount)} was refunded.`);
		else announce(`A new order of ${formatMoney(first.amount)} is among your orders.`);
	}, [orders, announce]);
	return news;
}
