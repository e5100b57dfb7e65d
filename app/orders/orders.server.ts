import { eq, type SQL, sql } from "drizzle-orm";
import type { Product } from "#app/catalogue/product.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders } from "#drizzle/schema.ts";
import { markUnresolved } from "./unresolved.server.ts";

/** Maximum number of orders that a request moves to an account. The next request moves more. */
const maxClaimed = 200;

/** The owner of an order: a customer, or the browser that holds the guest token with this hash. */
export type Owner = { userId: string; guestTokenHash: null } | { userId: null; guestTokenHash: string };

/** A product of an order, at its price when the order was placed. */
export interface LineItem extends Product {
	quantity: number;
}

/** Returns the sum of the line items, in cents. */
export function totalOf(items: LineItem[]): number {
	return items.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
}

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

/** Moves up to 200 orders placed with a guest token to an account, except orders that already belong to an account.
 *  Returns whether any orders were moved. */
export async function claimOrders(
	primary: Database,
	guestTokenHash: string,
	userId: string,
	now: number,
): Promise<boolean> {
	// in the index's order, so that nothing is sorted
	const isClaimed = sql`${orders.paymentIntentId} in (select ${orders.paymentIntentId} from ${orders}
		where ${orders.guestTokenHash} = ${guestTokenHash} and ${orders.userId} is null order by rowid limit ${maxClaimed})`;
	return assignOrders(primary, isClaimed, { userId, guestTokenHash: null }, now);
}

/** Changes the owner of orders. Marks the payments of the paid ones as unresolved, because reconcile updates the owner
 *  in Stripe's metadata; `fulfill` marks the others when they are paid. Returns whether any owner changed. */
async function assignOrders(primary: Database, isAssigned: SQL, owner: Owner, now: number): Promise<boolean> {
	// the + keeps SQLite from reading all paid orders by their index
	const paid = sql`select ${orders.paymentIntentId} as id from ${orders} where +${orders.status} = 'paid' and ${isAssigned}`;
	const [, assigned] = await primary.batch([
		markUnresolved(primary, paid, now),
		primary.update(orders).set(owner).where(isAssigned).returning({ id: orders.paymentIntentId }),
	]);
	return assigned.length > 0;
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
	const isBound = sql`${orders.paymentIntentId} = ${paymentIntentId} and ${orders.userId} is null
		and ${orders.guestTokenHash} is not ${owner.guestTokenHash}`;
	return assignOrders(primary, isBound, owner, now);
}
