import { useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import type { BasketItem } from "#app/basket/basket.ts";
import { Picture } from "#app/catalogue/picture.tsx";
import { shortName } from "#app/catalogue/product.ts";
import { neverChanges } from "#app/ui/date.tsx";
import { Link } from "#app/ui/link.tsx";
import { formatMoney } from "#app/ui/money.ts";
import type { Order } from "./list-orders.server.ts";

/** The payment that led to /orders. */
export type Receipt = Pick<Order, "id" | "amount"> & { basket: Pick<BasketItem, "title" | "image">[] };

/** The page's loader data. */
interface Loaded {
	/** Empty for a guest. */
	orders: Order[];
	/** The ids of the guest's orders, or null if they could not be loaded; empty for a customer. */
	unclaimed: string[] | null;
}

/** Returns the receipt of the payment that led to this history entry, or null. A guest's receipt is in the entry's
 *  state; it is null once an account has claimed the order, because Back would show it again. The entry outlives a
 *  customer's session, so it holds only the end of the order's id, and the receipt is the customer's order that
 *  matches. */
export function useReceipt({ orders, unclaimed }: Loaded): Receipt | null {
	const { state } = useLocation();
	// the server has no state, so the first render after a reload must not use it
	const shown: unknown = useSyncExternalStore(
		neverChanges,
		() => state,
		() => null,
	);
	// check the shape, because the browser persists the state
	const { id, amount, basket }: Record<string, unknown> = Object(shown);
	if (typeof id !== "string") return null;
	if (Array.isArray(basket)) {
		return unclaimed?.includes(id) === false ? null : { id, amount: Number(amount), basket: basket.filter(isItem) };
	}
	return orders.find((order) => order.status === "paid" && order.id.endsWith(id)) ?? null;
}

function isItem(item: unknown): item is Receipt["basket"][number] {
	const { title, image }: Record<string, unknown> = Object(item);
	return typeof title === "string" && typeof image === "string";
}

export function ReceiptCard({ id, amount, basket, isGuest }: Receipt & { isGuest: boolean }) {
	const lines = [...Map.groupBy(basket, ({ title }) => title)];
	return (
		<section className="sheet order changed" aria-label="Your payment">
			<h2>Thank you for your order!</h2>
			<p>
				You paid <b>{formatMoney(amount)}</b> for order <code>{id}</code>. Nothing will be sent: this is a demo.
			</p>
			<p>
				{isGuest ? (
					<>
						<Link to="/login">Sign in or create an account</Link> in this browser to keep the order.
					</>
				) : (
					"It's in your orders below."
				)}
			</p>
			<div className="line-item">
				{lines.map(([title, [item]]) => item && <Picture key={title} image={item.image} sizes="104px" />)}
				<div className="name">{lines.map(([title, { length }]) => `${length} × ${shortName(title)}`).join(", ")}</div>
			</div>
		</section>
	);
}
