import { LineItem } from "#app/basket/line-item.tsx";
import { LocalDate } from "#app/ui/date.tsx";
import { formatMoney } from "#app/ui/money.ts";
import type { Order } from "./orders.server.ts";

/** One order as a receipt. `date` is the server's text for it; what is news stands out for a while. */
export function OrderCard({ order, isNews }: { order: Order & { date: string }; isNews: boolean }) {
	return (
		<article className={isNews ? "sheet order news" : "sheet order"} aria-label={`Order ${order.id}`}>
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
					// biome-ignore lint/suspicious/noArrayIndexKey: an order's lines never change
					<LineItem key={index} item={item} />
				))}
			</ul>
			<footer>
				Order Total: <b>{formatMoney(order.amount)}</b>
			</footer>
		</article>
	);
}
