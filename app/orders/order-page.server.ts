import { asc, desc, eq, sql } from "drizzle-orm";
import { sessionCustomer } from "#app/auth/sessions.server.ts";
import { countItems, type Line } from "#app/basket/fold-items.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import {
	hasBeenPaid,
	isPlaced,
	isShown,
	type OrderRow,
	orderItems,
	orders,
	products,
	refundedOf,
} from "#drizzle/schema.ts";
import { paymentIntentIdPattern } from "./find-order.server.ts";
import type { Owner } from "./owner.server.ts";

/** An order as listed, with all columns that the shopper may see. */
export interface Order extends Omit<OrderRow, "paymentIntentId" | keyof Owner | "placedAt" | "dueAt"> {
	/** The PaymentIntent's id. */
	id: string;
	status: "paid" | "refunded";
	/** Cents that were refunded, or will be. */
	refunded: number;
	/** `isWithdrawn`: the product is no longer sold and has no page. */
	basket: (Line & { isWithdrawn?: boolean })[];
}

/** A position in a customer's orders, newest first. The page after it contains older orders. */
type OrderCursor = Pick<Order, "created" | "id">;

export type OrderPage = Awaited<ReturnType<typeof readOrderPage>>;

export interface OrderQuery {
	sessionToken: string;
	/** The hashes of the guest tokens whose orders the customer may claim. */
	guestTokenHashes: string[];
	before: OrderCursor | null;
	now: number;
}

/** Maximum age of a placed order that /orders polls, in seconds. By then, reconcile has polled the order. */
const fresh = 10 * 60;
/** Maximum number of orders per page. */
const pageSize = 20;
/** Maximum number of items per page. The page's first order is always listed. */
const maxPageItems = 200;

/** Returns a page of the orders of the session's customer, newest first: the paid and refunded orders older than
 *  `before`, and the position of the last one if there are older orders. Also returns the id of the newest unpaid order,
 *  if it is fresh, and whether the guest has orders that no account has claimed. Returns no orders if the session has
 *  ended. Reads as many rows for a long history as for a short one. */
export async function readOrderPage(primary: Database, query: OrderQuery) {
	const { sessionToken, guestTokenHashes, before, now } = query;
	const customer = sessionCustomer(sessionToken);
	const older = before ? sql`and (created, payment_intent_id) < (${before.created}, ${before.id})` : sql.empty();
	const listed = primary
		.select({
			order: {
				...{ id: orders.paymentIntentId, amount: orders.amount, currency: orders.currency },
				...{ created: orders.created, status: orders.status },
				refunded: refundedOf(orders.paymentIntentId),
			},
			quantity: orderItems.quantity,
			item: {
				id: orderItems.productId,
				title: orderItems.title,
				image: orderItems.image,
				priceCents: orderItems.priceCents,
				rating: orderItems.rating,
			},
			isSold: sql<0 | 1>`${orderItems.productId} in (select ${products.id} from ${products})`,
		})
		.from(orders)
		.innerJoin(orderItems, eq(orderItems.paymentIntentId, orders.paymentIntentId))
		.where(
			sql`${orders.paymentIntentId} in (
				select payment_intent_id from orders where user_id = ${customer} and ${isShown(orders)} ${older}
				order by created desc, payment_intent_id desc limit ${pageSize + 1})`,
		)
		.orderBy(desc(orders.created), desc(orders.paymentIntentId), asc(orderItems.position));
	const unpaid = primary
		.select({ id: orders.paymentIntentId })
		.from(orders)
		.where(sql`${orders.userId} = ${customer} and ${isPlaced(orders)} and ${orders.placedAt} > ${now - fresh}`)
		.orderBy(desc(orders.placedAt))
		.limit(1);
	const unclaimed = primary
		.select({ id: orders.paymentIntentId })
		.from(orders)
		.where(sql`${orders.guestTokenHash} in ${guestTokenHashes} and ${orders.userId} is null`)
		.limit(1);
	const [rows, [waiting], [claimable]] = await retryOnce(() => primary.batch([listed, unpaid, unclaimed]));

	const list = new Map<string, Order>();
	for (const { order, quantity, item, isSold } of rows) {
		if (!hasBeenPaid(order)) continue;
		const found: Order = list.get(order.id) ?? { ...order, basket: [] };
		found.basket.push({ ...item, quantity, isWithdrawn: !isSold });
		list.set(order.id, found);
	}
	const page: Order[] = [];
	let items = 0;
	for (const order of list.values()) {
		items += countItems(order.basket);
		if (page.length === pageSize || (page.length > 0 && items > maxPageItems)) break;
		page.push(order);
	}
	const last = page.at(-1);
	return {
		hasUnclaimed: claimable !== undefined,
		orders: page,
		older: last && list.size > page.length ? { created: last.created, id: last.id } : null,
		waiting: waiting?.id ?? null,
	};
}

/** Formats the cursor of a page of orders for its URL: "1763650000-pi_123". */
export function writeCursor({ created, id }: OrderCursor): string {
	return `${created}-${id}`;
}

/** Returns the cursor in a URL, or null (the newest page) if it is missing or invalid. */
export function readCursor(url: URL): OrderCursor | null {
	const [, created, id = ""] = /^(\d{1,10})-(.+)$/.exec(url.searchParams.get("before") ?? "") ?? [];
	return paymentIntentIdPattern.test(id) ? { created: Number(created), id } : null;
}
