import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BasketItem } from "#app/basket/basket.ts";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { isWaiting, orderItems, orders, products } from "#drizzle/schema.ts";
import type { Owner, Unowned } from "./orders.server.ts";

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
