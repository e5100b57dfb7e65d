import { type SQL, sql } from "drizzle-orm";
import type { CookieJar } from "#app/http/cookies.server.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import type { Services } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders } from "#drizzle/schema.ts";
import { notifyFeed } from "./feed.server.ts";
import type { FoundOrder } from "./find-order.server.ts";
import { guestTokenHash, type Owner } from "./owner.server.ts";
import { markUnresolved } from "./unresolved-payments.server.ts";

/** Maximum number of orders that a query moves to an account. */
const maxClaimed = 200;

/** Moves all of this browser's guest orders to the signed-in account. Keeps the token until sign-out, for an order that
 *  is being placed at the same time. If D1 fails or takes too long, logs it and returns false: the next sign-in, sign-out
 *  or request for /orders claims the rest. */
export async function claimGuestOrders(
	services: Services,
	primary: Database,
	cookies: CookieJar,
	userId: string,
): Promise<boolean> {
	const token = guestTokenHash(cookies);
	if (!token) return true;
	const claim = async () => {
		let claimed: number;
		do {
			claimed = await retryOnce(() => claimOrders(primary, token, userId, services.now()));
			if (claimed > 0) await notifyFeed(services, userId);
		} while (claimed === maxClaimed);
		return true;
	};
	return withFallback(services.timeouts.work, claim, () => false);
}

/** Moves up to `maxClaimed` orders placed with a guest token, of which `token` is the hash, to an account, except orders
 *  that already belong to an account. Returns how many were moved. */
export function claimOrders(primary: Database, token: string, userId: string, now: number): Promise<number> {
	// in the index's order, so that nothing is sorted
	const isClaimed = sql`${orders.paymentIntentId} in (select ${orders.paymentIntentId} from ${orders}
		where ${orders.guestTokenHash} = ${token} and ${orders.userId} is null order by rowid limit ${maxClaimed})`;
	return assignOrders(primary, isClaimed, { userId, guestTokenHash: null }, now);
}

/** Assigns an order that belongs to no account to the owner of the browser that completed the payment: that browser may
 *  never have received the guest token that the order was placed with. Runs no query if `found`, the order if it has been
 *  read, shows that nothing changes. Returns whether the owner changed. */
export async function bindOrder(
	primary: Database,
	paymentIntentId: string,
	owner: Owner,
	now: number,
	found: FoundOrder | null,
): Promise<boolean> {
	if (found && (found.userId !== null || found.guestTokenHash === owner.guestTokenHash)) return false;
	const isBound = sql`${orders.paymentIntentId} = ${paymentIntentId} and ${orders.userId} is null
		and ${orders.guestTokenHash} is not ${owner.guestTokenHash}`;
	return (await assignOrders(primary, isBound, owner, now)) > 0;
}

/** Changes the owner of orders. Marks the payments of the paid ones as unresolved, because reconcile updates the owner
 *  in Stripe's metadata; `fulfill` marks the others when they are paid. Returns how many orders changed. */
async function assignOrders(primary: Database, isAssigned: SQL, owner: Owner, now: number): Promise<number> {
	// the + keeps SQLite from reading all paid orders by their index
	const paid = sql`select ${orders.paymentIntentId} as id from ${orders} where +${orders.status} = 'paid' and ${isAssigned}`;
	const [, assigned] = await primary.batch([
		markUnresolved(primary, paid, now),
		primary.update(orders).set(owner).where(isAssigned).returning({ id: orders.paymentIntentId }),
	]);
	return assigned.length;
}
