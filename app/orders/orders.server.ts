import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Product } from "#app/catalogue/product.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders, unresolvedPayments } from "#drizzle/schema.ts";

/** The owner of an order: a customer, or the browser that holds the guest token with this hash. */
export type Owner = { userId: string; guestTokenHash: null } | { userId: null; guestTokenHash: string };

/** A product of an order, at the price at which it was sold. */
export interface LineItem extends Product {
	quantity: number;
}

/** Returns the sum of the line items, in cents. */
export function totalOf(items: LineItem[]): number {
	return items.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
}

/** No owner: the order was rebuilt after its customer's account was lost. */
export type Unowned = { userId: null; guestTokenHash: null };

/** Returns an order's status, amount, time and owner, or null. Does not check ownership: callers have verified the
 *  client secret or act for the shop. */
export async function findOrder(primary: Database, paymentIntentId: string) {
	const [order] = await retryOnce(() =>
		primary
			.select({
				status: orders.status,
				amount: orders.amount,
				created: orders.created,
				userId: orders.userId,
				guestTokenHash: orders.guestTokenHash,
			})
			.from(orders)
			.where(eq(orders.paymentIntentId, paymentIntentId)),
	);
	return order ?? null;
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

/** Returns the statements of `claimOrders`, for one batch. They change nothing if `customer`, which is SQL, is null. */
export function claim(primary: Database, guestTokenHash: string, customer: SQL, now: number) {
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

/** Lists payments as unresolved, for the next run of reconcile. `ids` is a SELECT of one column. A payment that is
 *  already listed is due immediately, as if it had not been attempted. `now` is in Unix seconds. */
export function listUnresolved(primary: Database, ids: SQL, now: number) {
	return primary
		.insert(unresolvedPayments)
		.select(sql`select *, ${now}, 0, ${now}, null from (${ids}) where true`)
		.onConflictDoUpdate({ target: unresolvedPayments.paymentIntentId, set: { attempts: 0, dueAt: now } });
}

/** Lists payments as unresolved by their ids. */
export function listUnresolvedIds(primary: Database, ids: string[], now: number) {
	return listUnresolved(primary, sql`select value from json_each(${JSON.stringify(ids)})`, now);
}
