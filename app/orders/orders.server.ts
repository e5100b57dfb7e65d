import { and, eq, isNull, sql } from "drizzle-orm";
import type { BasketItem } from "#app/basket/basket.ts";
import { type Database, twice } from "#drizzle/db.server.ts";
import { isShown, isWaiting, orderItems, orders } from "#drizzle/schema.ts";

/** Whose an order is: a customer's, or that of whoever holds the guest token with this hash. */
export type Owner = { userId: string; guestTokenHash: null } | { userId: null; guestTokenHash: string };

/** The owner of an order that was rebuilt after its customer was lost. */
export type Nobody = { userId: null; guestTokenHash: null };

export interface Order {
	/** The PaymentIntent's id. */
	id: string;
	/** Cents. */
	amount: number;
	/** Unix seconds. */
	created: number;
	status: "paid" | "refunded";
	basket: BasketItem[];
}

interface PlacedOrder {
	paymentIntentId: string;
	amount: number;
	created: number;
	owner: Owner | Nobody;
	now: number;
	items: BasketItem[];
}

/** Stores an order that is about to be paid, items and all or nothing. An order that is still `placed` is overwritten;
 *  one that is further is left alone. Returns the status it has then. */
export async function storePlacedOrder(primary: Database, placed: PlacedOrder): Promise<string> {
	const { paymentIntentId, amount, created, owner, now, items } = placed;
	const isThisOrder = eq(orders.paymentIntentId, paymentIntentId);
	const isPlaced = sql`exists (select 1 from ${orders} where ${isThisOrder} and ${orders.status} = 'placed')`;
	const rows = items.map(({ id, title, image, priceCents, rating }) => [id, title, image, priceCents, rating]);
	const [, , , [stored]] = await twice(() =>
		primary.batch([
			primary
				.insert(orders)
				.values({ paymentIntentId, ...owner, amount, created, status: "placed", placedAt: now, checkedAt: now })
				.onConflictDoUpdate({
					target: orders.paymentIntentId,
					set: { ...owner, placedAt: now, checkedAt: now },
					setWhere: and(eq(orders.status, "placed"), eq(orders.amount, amount)),
				}),
			primary.delete(orderItems).where(and(eq(orderItems.paymentIntentId, paymentIntentId), isPlaced)),
			// one JSON parameter, since a statement takes 100 parameters and a basket 200 items
			primary.insert(orderItems).select(
				sql`select ${paymentIntentId}, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
				from json_each(${JSON.stringify(rows)}) where ${isPlaced}`,
			),
			primary.select({ status: orders.status }).from(orders).where(isThisOrder),
		]),
	);
	if (!stored) throw new Error(`Order ${paymentIntentId} was stored and is not there; look at D1's log.`);
	return stored.status;
}

/** A place in a customer's history: what comes after it is older. */
export interface OrderKey {
	/** Unix seconds. */
	created: number;
	id: string;
}

export interface OrderPage {
	orders: Order[];
	/** The last of these, when there are older ones. */
	older: OrderKey | null;
	/** The newest order that waits for its payment. */
	waiting: string | null;
}

/** Orders on a page. */
const pageSize = 20;

/** An item of an order, with the order. */
interface OrderRow extends Pick<Order, "id" | "amount" | "created">, Omit<BasketItem, "id"> {
	status: Order["status"] | "placed";
	productId: string;
}

/** A page of a customer's orders, newest first: what is paid or was given back, `before` a place in the history, and
 *  what was placed since then (Unix seconds) and waits. One query, which reads as many rows in a long history as in a
 *  short one. */
export async function listOrders(
	primary: Database,
	userId: string,
	{ before, placedSince }: { before: OrderKey | null; placedSince: number },
): Promise<OrderPage> {
	const older = before ? sql`and (created, payment_intent_id) < (${before.created}, ${before.id})` : sql.empty();
	// as text: Drizzle takes longer to write it than D1 to answer it
	const rows = await primary.all<OrderRow>(sql`
		select orders.payment_intent_id as id, amount, created, status,
			product_id as productId, title, image, price_cents as priceCents, rating
		from orders join order_items on order_items.payment_intent_id = orders.payment_intent_id
		where orders.payment_intent_id in (
			select * from (
				select payment_intent_id from orders
				where user_id = ${userId} and ${isShown(orders)} ${older}
				order by created desc, payment_intent_id desc limit ${pageSize + 1})
			union all
			select * from (
				select payment_intent_id from orders
				where user_id = ${userId} and ${isWaiting(orders)} and placed_at > ${placedSince}
				order by placed_at desc limit 1))
		order by created desc, id desc, position`);

	let waiting: string | null = null;
	const list = new Map<string, Order>();
	for (const { id, amount, created, status, productId, ...item } of rows) {
		if (status === "placed") {
			waiting = id;
			continue;
		}
		const entry = list.get(id) ?? { id, amount, created, status, basket: [] };
		entry.basket.push({ id: productId, ...item });
		list.set(id, entry);
	}
	const page = [...list.values()].slice(0, pageSize);
	const last = page.at(-1);
	return { orders: page, older: last && list.size > pageSize ? { created: last.created, id: last.id } : null, waiting };
}

/** Gives the orders made under a guest token to an account, for good: an order that has an owner keeps it. True when
 *  there were any. */
export async function claimOrders(primary: Database, guestTokenHash: string, userId: string): Promise<boolean> {
	const claimed = await primary
		.update(orders)
		.set({ userId, guestTokenHash: null })
		.where(and(eq(orders.guestTokenHash, guestTokenHash), isNull(orders.userId)))
		.returning({ id: orders.paymentIntentId });
	return claimed.length > 0;
}

/** Binds an order that no account has to whoever returns from paying it: their browser may never have received the
 *  guest token under which it was placed. True when it had none. */
export async function bindOrder(primary: Database, paymentIntentId: string, owner: Owner): Promise<boolean> {
	const bound = await primary
		.update(orders)
		.set(owner)
		.where(and(eq(orders.paymentIntentId, paymentIntentId), isNull(orders.userId)))
		.returning({ id: orders.paymentIntentId });
	return bound.length > 0;
}
