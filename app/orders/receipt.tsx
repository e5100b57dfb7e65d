import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import type { BasketItem } from "#app/tab/basket.ts";
import { announce } from "#app/ui/announcer.tsx";
import { formatLocally, neverChanges } from "#app/ui/date.tsx";
import { Link } from "#app/ui/link.tsx";
import { formatMoney } from "#app/ui/money.ts";
import type { Order } from "./list-orders.server.ts";
import { type DatedOrder, OrderCard } from "./order-list.tsx";
import { findReceipt } from "./saved-receipt.ts";

/** The page's loader data. */
interface Loaded {
	/** Empty for a guest. */
	orders: DatedOrder[];
	/** The ids of the guest's orders; null if they could not be loaded, empty for a customer. */
	unclaimed: string[] | null;
}

/** Returns the order whose payment led to this history entry, or null. The entry's state has the end of the order's id.
 *  The order is one of the customer's or, for a guest, the one that this tab has saved, until an account has claimed
 *  it. */
export function useReceipt({ orders, unclaimed }: Loaded): DatedOrder | null {
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
	const { id, amount, created, basket }: Record<string, unknown> = Object(findReceipt());
	if (typeof id !== "string" || typeof created !== "number" || !Array.isArray(basket) || !isPaid({ id })) return null;
	if (unclaimed?.includes(id) === false) return null;
	// in the order in which the server lists them
	const byProduct = Map.groupBy(basket.filter(isItem), ({ id }) => id);
	const items = [...byProduct.values()].flat().map((item) => ({ ...item, isWithdrawn: false }));
	return { id, amount: Number(amount), created, date: formatLocally(created), status: "paid", basket: items };
}

function isItem(item: unknown): item is BasketItem {
	const { id, title, image, priceCents, rating }: Record<string, unknown> = Object(item);
	const texts = [id, title, image].every((value) => typeof value === "string");
	return texts && [priceCents, rating].every((value) => typeof value === "number");
}

/** Says what was paid. A guest, who has no list of orders, sees the order here. */
export function Receipt({ order, isGuest }: { order: DatedOrder; isGuest: boolean }) {
	// replaces the message about the payment
	useEffect(() => announce(""), []);
	return (
		<section className="receipt" aria-label="Your payment">
			<p>
				You paid <b>{formatMoney(order.amount)}</b>. This is a demo: nothing will be shipped.
			</p>
			{isGuest && (
				<p>To keep this order, sign in or create an account in this browser. Otherwise, only this tab shows it.</p>
			)}
			<p className="buttons">
				{isGuest && (
					<Link className="button main" to="/login">
						Sign in or create an account
					</Link>
				)}
				<Link className="button" to="/">
					Continue shopping
				</Link>
			</p>
			{isGuest && <OrderCard order={order} isChanged />}
		</section>
	);
}
