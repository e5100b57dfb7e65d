import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { BasketItem } from "#app/basket/basket.ts";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { isShown, isWaiting, orderItems, orders, products } from "#drizzle/schema.ts";
import { listUnresolved } from "./unresolved.server.ts";

/** The owner of an order: a customer, or the browser that holds the guest token with this hash. */
export type Owner = { userId: string; guestTokenHash: null } | { userId: null; guestTokenHash: string };

/** No owner: the order was rebuilt after its customer's account was lost. */
export type Unowned = { userId: null; guestTokenHash: null };

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

interface OrderToStore {
	paymentIntentId: string;
	/** Cents. */
	amount: number;
	/** Unix seconds, like `now`. */
	created: number;
	owner: Owner | Unowned;
	now: number;
}

interface OrderToPlace extends OrderToStore {
	/** The number of the place request that stores the order, starting at 1. */
	attempt: number;
	owner: Owner;
	/** The customer of the request's session, as SQL (see auth/session-customer.server.ts). */
	sender: SQL;
	/** Keyed hash of the client's IP address (for IPv6, its first 56 bits). */
	placedFrom: string;
	/** One id per unit. */
	productIds: string[];
}

/** Delay before reconcile first polls a placed order, in seconds. Usually, the shopper's browser fulfills it first. */
const firstPoll = 60;
/** Maximum number of unpaid orders per owner. A tab has at most one, but anyone can place orders without paying. */
const maxUnpaidOfOwner = 10;
/** Maximum number of unpaid orders per IP address, which many shoppers may share. */
const maxUnpaidFromAddress = 100;

/** Stores an order that is about to be paid and its line items at current prices, in one transaction. Does so only if
 *  the session is the owner's, every product is still sold, the prices add up to the amount, and neither the owner nor
 *  the address has too many unpaid orders. Overwrites only a placed order with the same amount and no newer attempt.
 *  Returns what the transaction has read: the stored order, if any, the products, and whether the session is the
 *  owner's. */
export async function storePlacedOrder(primary: Database, order: OrderToPlace) {
	const { paymentIntentId, amount, attempt, owner, sender, placedFrom, now, productIds } = order;
	const unpaid = sql`select count(*) from ${orders}
		where ${isWaiting(orders)} and ${orders.paymentIntentId} != ${paymentIntentId}`;
	const isOwners = owner.userId
		? sql`${orders.userId} = ${owner.userId}`
		: sql`${orders.guestTokenHash} = ${owner.guestTokenHash}`;
	const isSenders = sql<0 | 1>`${sender} is ${owner.userId}`;
	const quantities = [...Map.groupBy(productIds, (id) => id)].map(([id, units]) => [id, units.length]);
	// one JSON parameter for any number of products
	const lines = sql`json_each(${JSON.stringify(quantities)}) line
		left join ${products} on ${products.id} = line.value ->> 0`;
	const quantity = sql`line.value ->> 1`;
	// null if a product is no longer sold
	const total = sql`(select case when count(${products.id}) = count(*)
		then sum(${products.priceCents} * (${quantity})) end from ${lines})`;
	const [, , , [found], catalogue] = await retryOnce(() =>
		primary.batch([
			...storeOrder(primary, {
				...order,
				dueAt: now + firstPoll,
				isValid: sql`${isSenders} and ${total} = ${amount}`,
				isAllowed: sql`(${unpaid} and ${isOwners}) < ${maxUnpaidOfOwner}
					and (${unpaid} and ${orders.placedFrom} = ${placedFrom}) < ${maxUnpaidFromAddress}`,
				overwrites: sql`${orders.status} = 'placed' and ${orders.amount} = ${amount} and ${orders.attempt} <= ${attempt}`,
				items: sql`select ${paymentIntentId}, key, ${products.id}, ${products.title}, ${products.image},
					${products.priceCents}, ${products.rating}, ${quantity} from ${lines}`,
			}),
			primary
				.select({
					isSenders,
					status: orders.status,
					attempt: orders.attempt,
					userId: orders.userId,
					guestTokenHash: orders.guestTokenHash,
				})
				.from(sql`(select 1)`)
				.leftJoin(orders, eq(orders.paymentIntentId, paymentIntentId)),
			listProducts(primary),
		]),
	);
	return { found, catalogue };
}

/** Restores a lost order, ready to be fulfilled. Overwrites only an order that this payment cannot mark as paid: an
 *  abandoned order, or a placed order with another amount. */
export async function storeRebuiltOrder(primary: Database, order: OrderToStore & { items: BasketItem[] }) {
	const { paymentIntentId, amount, now, items } = order;
	const lines = [...Map.groupBy(items, ({ id }) => id).values()].flatMap(([item, ...more]) =>
		item ? [[item.id, item.title, item.image, item.priceCents, item.rating, 1 + more.length]] : [],
	);
	const [, , , [stored]] = await retryOnce(() =>
		primary.batch([
			...storeOrder(primary, {
				...order,
				attempt: 0,
				placedFrom: null,
				dueAt: now,
				isValid: sql`true`,
				isAllowed: sql`true`,
				overwrites: sql`${orders.status} = 'abandoned' or (${orders.status} = 'placed' and ${orders.amount} != ${amount})`,
				items: sql`select ${paymentIntentId}, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
					from json_each(${JSON.stringify(lines)})`,
			}),
			primary.select({ status: orders.status }).from(orders).where(eq(orders.paymentIntentId, paymentIntentId)),
		]),
	);
	if (!stored) throw new Error(`Order ${paymentIntentId} was stored and is not there; look at D1's log.`);
	return stored;
}

interface StoredOrder extends OrderToStore {
	attempt: number;
	placedFrom: string | null;
	dueAt: number;
	/** Condition for storing the order and its line items. */
	isValid: SQL;
	/** Another condition for storing the order. */
	isAllowed: SQL;
	/** Another condition for overwriting an existing order. */
	overwrites: SQL;
	/** The line items: a SELECT without a WHERE clause. */
	items: SQL;
}

/** Returns the statements that store an order and its line items, for one batch. */
function storeOrder(primary: Database, order: StoredOrder) {
	const { paymentIntentId, amount, created, attempt, owner, placedFrom, now, dueAt } = order;
	const { isValid, isAllowed, overwrites, items } = order;
	// an earlier request may have stored this attempt, so the condition includes `isValid`
	const isStored = sql`${isValid} and exists (select 1 from ${orders}
		where ${orders.paymentIntentId} = ${paymentIntentId}
		and ${orders.status} = 'placed' and ${orders.amount} = ${amount} and ${orders.attempt} = ${attempt}
		and ${orders.userId} is ${owner.userId} and ${orders.guestTokenHash} is ${owner.guestTokenHash})`;
	const row = { ...owner, amount, status: "placed" as const, attempt, placedAt: now, dueAt, placedFrom };
	return [
		primary
			.insert(orders)
			.select(
				sql`select ${paymentIntentId}, ${owner.userId}, ${owner.guestTokenHash}, ${amount}, 'placed', ${created}, ${now},
					${attempt}, ${dueAt}, ${placedFrom} where ${isValid} and ${isAllowed}`,
			)
			.onConflictDoUpdate({ target: orders.paymentIntentId, set: row, setWhere: overwrites }),
		primary.delete(orderItems).where(and(eq(orderItems.paymentIntentId, paymentIntentId), isStored)),
		primary.insert(orderItems).select(sql`${items} where ${isStored}`),
	] as const;
}

/** Returns an order's status, amount and owner, or null. Does not check ownership: callers have verified the
 *  client secret or act for the shop. */
export async function findOrder(primary: Database, paymentIntentId: string) {
	const [order] = await retryOnce(() =>
		primary
			.select({
				status: orders.status,
				amount: orders.amount,
				userId: orders.userId,
				guestTokenHash: orders.guestTokenHash,
			})
			.from(orders)
			.where(eq(orders.paymentIntentId, paymentIntentId)),
	);
	return order ?? null;
}

/** A position in a customer's orders, newest first. The page after it contains older orders. */
export interface OrderCursor {
	/** Unix seconds. */
	created: number;
	id: string;
}

export interface OrderPage {
	/** The customer of the query, or null if the session has ended. */
	customerId: string | null;
	/** Whether the customer now owns orders of the guest. */
	hasClaimed: boolean;
	orders: Order[];
	/** The position of the page's last order, or null if there are no older orders. */
	older: OrderCursor | null;
	/** The id of the newest order that is not paid yet, or null. */
	waiting: string | null;
}

export interface OrderQuery {
	/** The customer's id, as SQL. */
	customer: SQL;
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

/** Returns a page of a customer's orders, newest first: the paid and refunded orders older than `before`. Also returns
 *  the newest unpaid order, if it is fresh. Everything is one batch, and the list reads as many rows for a long history
 *  as for a short one. */
export async function listOrders(primary: Database, query: OrderQuery): Promise<OrderPage> {
	const { customer, guestTokenHash, before, now } = query;
	const older = before ? sql`and (created, payment_intent_id) < (${before.created}, ${before.id})` : sql.empty();
	const reads = [
		primary.select({ id: sql<string | null>`${customer}` }).from(sql`(select 1)`),
		primary
			.select({
				id: orders.paymentIntentId,
				amount: orders.amount,
				created: orders.created,
				status: sql<Order["status"] | "placed">`${orders.status}`,
				productId: orderItems.productId,
				title: orderItems.title,
				image: orderItems.image,
				priceCents: orderItems.priceCents,
				rating: orderItems.rating,
				quantity: orderItems.quantity,
				isSold: sql<0 | 1>`${orderItems.productId} in (select ${products.id} from ${products})`,
			})
			.from(orders)
			.innerJoin(orderItems, eq(orderItems.paymentIntentId, orders.paymentIntentId))
			.where(sql`${orders.paymentIntentId} in (
				select * from (
					select payment_intent_id from orders
					where user_id = ${customer} and ${isShown(orders)} ${older}
					order by created desc, payment_intent_id desc limit ${pageSize + 1})
				union all
				select * from (
					select payment_intent_id from orders
					where user_id = ${customer} and ${isWaiting(orders)} and placed_at > ${now - fresh}
					order by placed_at desc limit 1))`)
			.orderBy(desc(orders.created), desc(orders.paymentIntentId), orderItems.position),
	] as const;
	const [, claimed, [found], rows] =
		guestTokenHash === null
			? [null, [], ...(await primary.batch(reads))]
			: await primary.batch([...claim(primary, guestTokenHash, customer, now), ...reads]);

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
		customerId: found?.id ?? null,
		hasClaimed: claimed.length > 0,
		orders: page,
		older: last && list.size > page.length ? { created: last.created, id: last.id } : null,
		waiting,
	};
}

/** Moves the orders placed with a guest token to an account, except orders that already belong to an account. Reconcile
 *  later updates the owner in Stripe's metadata. Returns whether any orders were moved. */
export async function claimOrders(
	primary: Database,
	guestTokenHash: string,
	userId: string,
	now: number,
): Promise<boolean> {
	const [, claimed] = await primary.batch(claim(primary, guestTokenHash, sql`${userId}`, now));
	return claimed.length > 0;
}

/** Returns the statements of `claimOrders`, for one batch. They change nothing if `customer` is null. */
function claim(primary: Database, guestTokenHash: string, customer: SQL, now: number) {
	const isUnclaimed = sql`${orders.guestTokenHash} = ${guestTokenHash} and ${orders.userId} is null
		and ${customer} is not null`;
	return [
		listUnresolved(primary, sql`select ${orders.paymentIntentId} from ${orders} where ${isUnclaimed}`, now),
		primary
			.update(orders)
			.set({ userId: customer, guestTokenHash: null })
			.where(isUnclaimed)
			.returning({ id: orders.paymentIntentId }),
	] as const;
}

/** Returns whether `bindOrder` would change the owner of an order. */
export function isBindable({ userId, guestTokenHash }: Pick<Owner, keyof Owner>, owner: Owner): boolean {
	return userId === null && guestTokenHash !== owner.guestTokenHash;
}

/** Assigns an order that belongs to no account to the owner of the browser that completed the payment: that browser may
 *  never have received the guest token that the order was placed with. Returns whether the owner changed. */
export async function bindOrder(
	primary: Database,
	paymentIntentId: string,
	owner: Owner,
	now: number,
): Promise<boolean> {
	const isOther = sql`${orders.userId} is null and ${orders.guestTokenHash} is not ${owner.guestTokenHash}`;
	const isThisOrder = and(eq(orders.paymentIntentId, paymentIntentId), isOther);
	const [, bound] = await primary.batch([
		listUnresolved(primary, sql`select ${orders.paymentIntentId} from ${orders} where ${isThisOrder}`, now),
		primary.update(orders).set(owner).where(isThisOrder).returning({ id: orders.paymentIntentId }),
	]);
	return bound.length > 0;
}
