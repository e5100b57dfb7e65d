import { eq, type SQL, sql } from "drizzle-orm";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { BasketItem } from "#app/tab/basket.ts";
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
 *  the PaymentIntent has no order, the session is the owner's, every product is still sold, the prices add up to the
 *  amount, and neither the owner nor the address has too many unpaid orders. If the owner has placed the order before,
 *  only renews its times, so that the cron does not cancel it during a retry. Returns what the transaction has read: the
 *  stored order, if any, with its items as id:count:cents, the products, and whether the session is the owner's. */
export async function storePlacedOrder(primary: Database, order: OrderToPlace) {
	const { paymentIntentId, amount, created, owner, sender, placedFrom, now, productIds } = order;
	const { userId, guestTokenHash } = owner;
	const unpaid = sql`select count(*) from ${orders}
		where ${isWaiting(orders)} and ${orders.paymentIntentId} != ${paymentIntentId}`;
	const isOwners = userId ? sql`${orders.userId} = ${userId}` : sql`${orders.guestTokenHash} = ${guestTokenHash}`;
	const isSenders = sql<0 | 1>`${sender} is ${userId}`;
	const quantities = [...Map.groupBy(productIds, (id) => id)].map(([id, units]) => [id, units.length]);
	// one JSON parameter for any number of products
	const lines = sql`json_each(${JSON.stringify(quantities)}) line
		left join ${products} on ${products.id} = line.value ->> 0`;
	const quantity = sql`line.value ->> 1`;
	// null if a product is no longer sold
	const total = sql`(select case when count(${products.id}) = count(*)
		then sum(${products.priceCents} * (${quantity})) end from ${lines})`;
	const [, , [found], catalogue] = await retryOnce(() =>
		primary.batch([
			primary
				.insert(orders)
				.select(
					sql`select ${paymentIntentId}, ${userId}, ${guestTokenHash}, ${amount}, 'placed', ${created}, ${now},
						${now + firstPoll}, ${placedFrom}
						where ${isSenders} and ${total} = ${amount}
						and (${unpaid} and ${isOwners}) < ${maxUnpaidOfOwner}
						and (${unpaid} and ${orders.placedFrom} = ${placedFrom}) < ${maxUnpaidFromAddress}`,
				)
				.onConflictDoUpdate({
					target: orders.paymentIntentId,
					set: { placedAt: now, dueAt: now + firstPoll },
					setWhere: sql`${isWaiting(orders)} and ${orders.amount} = ${amount} and ${isOwners}`,
				}),
			storeItems(
				primary,
				order,
				sql`select ${paymentIntentId}, key, ${products.id}, ${products.title}, ${products.image},
					${products.priceCents}, ${products.rating}, ${quantity} from ${lines}`,
			),
			primary
				.select({
					isSenders,
					status: orders.status,
					userId: orders.userId,
					guestTokenHash: orders.guestTokenHash,
					items: sql<string | null>`(select group_concat(concat_ws(':', ${orderItems.productId}, ${orderItems.quantity},
						${orderItems.priceCents})) from ${orderItems} where ${orderItems.paymentIntentId} = ${paymentIntentId})`,
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
	const { paymentIntentId, amount, created, owner, now, items } = order;
	const lines = [...Map.groupBy(items, ({ id }) => id).values()].flatMap(([item, ...more]) =>
		item ? [[item.id, item.title, item.image, item.priceCents, item.rating, 1 + more.length]] : [],
	);
	const isUseless = sql`(${orders.status} = 'abandoned' or (${orders.status} = 'placed' and ${orders.amount} != ${amount}))`;
	const row = { ...owner, amount, status: "placed" as const, placedAt: now, dueAt: now, placedFrom: null };
	const [, , , [stored]] = await retryOnce(() =>
		primary.batch([
			primary.delete(orderItems).where(
				sql`${orderItems.paymentIntentId} in (select ${orders.paymentIntentId} from ${orders}
						where ${orders.paymentIntentId} = ${paymentIntentId} and ${isUseless})`,
			),
			primary
				.insert(orders)
				.values({ ...row, paymentIntentId, created })
				.onConflictDoUpdate({ target: orders.paymentIntentId, set: row, setWhere: isUseless }),
			storeItems(
				primary,
				order,
				sql`select ${paymentIntentId}, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
					from json_each(${JSON.stringify(lines)})`,
			),
			primary.select({ status: orders.status }).from(orders).where(eq(orders.paymentIntentId, paymentIntentId)),
		]),
	);
	if (!stored) throw new Error(`Order ${paymentIntentId} was stored and is not there; look at D1's log.`);
	return stored;
}

/** Returns the statement that stores the items of an order that has none: the order that the same transaction has just
 *  stored. `items` is a SELECT without a WHERE clause. */
function storeItems(primary: Database, { paymentIntentId, amount }: OrderToStore, items: SQL) {
	return primary.insert(orderItems).select(
		sql`${items} where exists (select 1 from ${orders} where ${orders.paymentIntentId} = ${paymentIntentId}
			and ${orders.status} = 'placed' and ${orders.amount} = ${amount})
		and not exists (select 1 from ${orderItems} where ${orderItems.paymentIntentId} = ${paymentIntentId})`,
	);
}
