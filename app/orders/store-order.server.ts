import { eq, sql } from "drizzle-orm";
import type { Line } from "#app/basket/fold-items.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { isPlaced, type OrderRow, orderItems, orders } from "#drizzle/schema.ts";

/** A product of an order: how many units were bought, and at which price. */
export type StoredLine = Pick<Line, "id" | "quantity" | "priceCents">;

/** The columns of an order that the caller sets, and its line items. */
export interface OrderToStore extends Omit<OrderRow, "status" | "placedAt" | "dueAt"> {
	items: Line[];
	now: number;
}

/** Period after the creation of a payment in which placing its order again renews the order's times, in seconds. */
const renewable = 24 * 60 * 60;

/** Stores an order that is about to be paid and its line items, in one transaction, unless the payment has an order. If
 *  its owner has placed that order before, renews its times, so that the cron does not cancel it during a retry, but only
 *  for a day, so that no price is kept indefinitely. An order of a guest without a cookie, which is stored under the hash
 *  of its client secret, becomes that of the cookie's guest. Returns the status and line items of the payment's order,
 *  which a concurrent request may have stored, and whether it has this owner: compare them before a charge. */
export async function storePlacedOrder(primary: Database, order: OrderToStore, clientSecretHash: string) {
	const { items: _, now, ...row } = order;
	const { paymentIntentId, userId, guestTokenHash } = row;
	const times = { placedAt: now, dueAt: now };
	const isOwn = sql`${orders.userId} is ${userId}
		and (${orders.guestTokenHash} is ${guestTokenHash} or ${orders.guestTokenHash} = ${clientSecretHash})`;
	const insertOrRenew = primary
		.insert(orders)
		.values({ ...row, status: "placed", ...times })
		.onConflictDoUpdate({
			target: orders.paymentIntentId,
			set: { ...times, guestTokenHash },
			setWhere: sql`${isPlaced(orders)} and ${isOwn} and ${orders.created} > ${now - renewable}`,
		});
	const readOrder = primary.select().from(orders).where(eq(orders.paymentIntentId, paymentIntentId));
	const readItems = primary
		.select({ id: orderItems.productId, quantity: orderItems.quantity, priceCents: orderItems.priceCents })
		.from(orderItems)
		.where(eq(orderItems.paymentIntentId, paymentIntentId));
	const statements = [insertOrRenew, storeItems(primary, order), readOrder, readItems] as const;
	const [, , [stored], storedItems] = await retryOnce(() => primary.batch(statements));
	if (!stored) throw new Error(`Order ${paymentIntentId} was stored and is not there; look at D1's log.`);
	const isOwners = stored.userId === userId && stored.guestTokenHash === guestTokenHash;
	return { status: stored.status, isOwners, items: storedItems };
}

/** Returns the statement that stores the items of an order that has none: the order that the same transaction has just
 *  stored. */
function storeItems(primary: Database, { paymentIntentId, amount, items }: OrderToStore) {
	return primary.insert(orderItems).select(
		sql`select ${paymentIntentId}, key, value ->> 'id', value ->> 'title', value ->> 'image', value ->> 'priceCents',
				value ->> 'rating', value ->> 'quantity' from json_each(${JSON.stringify(items)})
			where exists (select 1 from ${orders} where ${orders.paymentIntentId} = ${paymentIntentId}
				and ${isPlaced(orders)} and ${orders.amount} = ${amount})
			and not exists (select 1 from ${orderItems} where ${orderItems.paymentIntentId} = ${paymentIntentId})`,
	);
}
