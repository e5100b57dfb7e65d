import { useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { Picture } from "#app/catalogue/picture.tsx";
import { shortName } from "#app/catalogue/product.ts";
import type { BasketItem } from "#app/tab/basket.ts";
import { neverChanges } from "#app/ui/date.tsx";
import { Link } from "#app/ui/link.tsx";
import { formatMoney } from "#app/ui/money.ts";
import type { Order } from "./list-orders.server.ts";
import { findReceipt } from "./saved-receipt.ts";

/** The payment that led to /orders. */
export type Receipt = Pick<Order, "id" | "amount"> & { basket: Pick<BasketItem, "title" | "image">[] };

/** The page's loader data. */
interface Loaded {
	/** Empty for a guest. */
	orders: Order[];
	/** The ids of the guest's orders; null if they could not be loaded, empty for a customer. */
	unclaimed: string[] | null;
}

/** Returns the receipt of the payment that led to this history entry, or null. The entry's state has the end of the
 *  order's id. The receipt is the customer's order or, for a guest, the receipt that this tab has saved, until an account
 *  has claimed the order. */
export function useReceipt({ orders, unclaimed }: Loaded): Receipt | null {
	const { state } = useLocation();
	// the server has neither state nor storage, so the first render after a reload must not use them
	const isHydrated = useSyncExternalStore(
		neverChanges,
		() => true,
		() => false,
	);
	// check the shapes, because the browser persists both
	const { id: end }: Record<string, unknown> = Object(state);
	if (!isHydrated || typeof end !== "string") return null;
	const isPaid = ({ id }: Pick<Order, "id">) => id.endsWith(end);
	const paid = orders.find((order) => order.status === "paid" && isPaid(order));
	if (paid) return paid;
	const { id, amount, basket }: Record<string, unknown> = Object(findReceipt());
	if (typeof id !== "string" || !Array.isArray(basket) || !isPaid({ id })) return null;
	if (unclaimed?.includes(id) === false) return null;
	return { id, amount: Number(amount), basket: basket.filter(isItem) };
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
