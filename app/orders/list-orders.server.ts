import { sql } from "drizzle-orm";
import { hashToken, type SessionRow } from "#app/auth/lucia.server.ts";
import { sessionCustomer } from "#app/auth/session-customer.server.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { BasketItem } from "#app/tab/basket.ts";
import type { Database } from "#drizzle/db.server.ts";
import { isShown, isWaiting, orders } from "#drizzle/schema.ts";
import { claim } from "./orders.server.ts";

export interface Order {
	/** The PaymentIntent's id. */
	id: string;
	/** Cents. */
	amount: number;
	/** Unix seconds. */
	created: number;
	status: "paid" | "refunded";
	basket: OrderItem[];
}

interface OrderItem extends BasketItem {
	/** Whether the product is no longer sold and has no page. */
	isWithdrawn: boolean;
}

/** A position in a customer's orders, newest first. The page after it contains older orders. */
export interface OrderCursor {
	/** Unix seconds. */
	created: number;
	id: string;
}

export interface OrderPage {
	/** The customer of the session, or null if the session has ended. */
	customerId: string | null;
	/** The session and its user, even if the session has expired. */
	session: SessionRow | undefined;
	/** Whether the customer now owns orders of the guest. */
	hasClaimed: boolean;
	orders: Order[];
	/** The position of the page's last order, or null if there are no older orders. */
	older: OrderCursor | null;
	/** The id of the newest order that is not paid yet, or null. */
	waiting: string | null;
}

export interface OrderQuery {
	/** The token of the customer's session. */
	sessionToken: string;
	/** Claims this guest's orders first, unless it is null. */
	guestTokenHash: string | null;
	before: OrderCursor | null;
	/** Unix seconds. */
	now: number;
}

/** Maximum age of a placed order that /orders polls, in seconds. By then, reconcile has polled the order. */
const fresh = 10 * 60;
/** Maximum number of orders per page. */
const pageSize = 20;
/** Maximum number of items per page. A page with a single order may have more. */
const maxPageItems = 200;

/** A line item joined with its order. */
interface OrderRow extends Pick<Order, "id" | "amount" | "created">, Omit<BasketItem, "id"> {
	status: Order["status"] | "placed";
	productId: string;
	quantity: number;
	/** 0 if the product is no longer sold. */
	isSold: 0 | 1;
}

/** Returns a page of a customer's orders, newest first: the paid and refunded orders older than `before`. Also returns
 *  the newest unpaid order, if it is fresh, and the customer's session. The query, one batch with the claim, reads as
 *  many rows for a long history as for a short one. */
export async function listOrders(primary: Database, query: OrderQuery): Promise<OrderPage> {
	const { sessionToken, guestTokenHash, before, now } = query;
	const older = before ? sql`and (created, payment_intent_id) < (${before.created}, ${before.id})` : sql.empty();
	// raw SQL that returns the rows as JSON: Drizzle takes longer to build this query than D1 takes to run it
	const selected = primary
		.select({
			userId: sql<string>`users.id`,
			email: sql<string>`users.email`,
			expiresAt: sql<number>`sessions.expires_at`,
			createdAt: sql<number>`sessions.created_at`,
			rows: sql<string>`(select json_group_array(json_object('id', orders.payment_intent_id, 'amount', amount,
				'created', created, 'status', status, 'productId', product_id, 'title', title, 'image', image,
				'priceCents', price_cents, 'rating', rating, 'quantity', quantity,
				'isSold', product_id in (select products.id from products))
				order by created desc, orders.payment_intent_id desc, position)
				from orders join order_items on order_items.payment_intent_id = orders.payment_intent_id
				where orders.payment_intent_id in (
					select * from (
						select payment_intent_id from orders
						where user_id = users.id and ${isShown(orders)} ${older}
						order by created desc, payment_intent_id desc limit ${pageSize + 1})
					union all
					select * from (
						select payment_intent_id from orders
						where user_id = users.id and ${isWaiting(orders)} and placed_at > ${now - fresh}
						order by placed_at desc limit 1)))`.as("rows"),
		})
		.from(sql`sessions join users on users.id = sessions.user_id`)
		.where(sql`sessions.id = ${hashToken(sessionToken)}`);
	const customer = sessionCustomer(sessionToken, now);
	const [, claimed, [session]] = await retryOnce(async () =>
		guestTokenHash === null
			? [null, [], await selected]
			: primary.batch([...claim(primary, guestTokenHash, customer, now), selected]),
	);
	const isValid = session !== undefined && session.expiresAt > now;
	const rows: OrderRow[] = isValid ? JSON.parse(session.rows) : [];

	let waiting: string | null = null;
	const list = new Map<string, Order>();
	for (const { id, amount, created, status, productId, quantity, isSold, ...item } of rows) {
		if (status === "placed") {
			waiting = id;
			continue;
		}
		const entry = list.get(id) ?? { id, amount, created, status, basket: [] };
		entry.basket.push(...Array.from({ length: quantity }, () => ({ id: productId, ...item, isWithdrawn: !isSold })));
		list.set(id, entry);
	}
	const page: Order[] = [];
	let items = 0;
	for (const order of list.values()) {
		items += order.basket.length;
		if (page.length === pageSize || (page.length > 0 && items > maxPageItems)) break;
		page.push(order);
	}
	const last = page.at(-1);
	return {
		customerId: isValid ? session.userId : null,
		session,
		hasClaimed: claimed.length > 0,
		orders: page,
		older: last && list.size > page.length ? { created: last.created, id: last.id } : null,
		waiting,
	};
}
