import { type SQL, sql } from "drizzle-orm";
import type { CookieJar } from "#app/http/cookies.server.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Services } from "#app/http/services.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders } from "#drizzle/schema.ts";
import { notifyFeed } from "./feed.server.ts";
import type { FoundOrder } from "./find-order.server.ts";
import { guestTokenHashes, type Owner } from "./owner.server.ts";

/** Maximum number of orders that a query moves to an account. */
const maxClaimed = 200;

/** Moves all of this browser's guest orders to the signed-in account. Keeps the tokens until sign-out, for an order that
 *  is being placed at the same time. If D1 fails or is too slow, logs it and returns false: the next sign-in, sign-out or
 *  request for /orders claims the rest. */
export async function claimGuestOrders(services: Services, primary: Database, cookies: CookieJar, userId: string) {
	const tokens = guestTokenHashes(cookies);
	if (tokens.length === 0) return true;
	const claim = async (): Promise<boolean> => {
		let attempts = 0;
		const claimed = await retryOnce(() => {
			attempts++;
			return claimOrders(primary, tokens, userId);
		});
		// after a second attempt, too: the first may have moved them, although its response was lost
		if (claimed > 0 || attempts > 1) await notifyFeed(services, userId);
		return claimed < maxClaimed || claim();
	};
	return withFallback(services.timeouts.work, claim, () => false);
}

/** Moves up to `maxClaimed` orders placed with guest tokens, of which `tokens` are the hashes, to an account, except
 *  orders that already belong to an account. Returns how many were moved. */
export function claimOrders(primary: Database, tokens: string[], userId: string): Promise<number> {
	// in the index's order, so that nothing is sorted
	const isClaimed = sql`${orders.paymentIntentId} in (select ${orders.paymentIntentId} from ${orders}
		where ${orders.guestTokenHash} in ${tokens} and ${orders.userId} is null
		order by ${orders.guestTokenHash}, rowid limit ${maxClaimed})`;
	return assignOrders(primary, isClaimed, { userId, guestTokenHash: null });
}

/** Assigns an order that belongs to no account to the first of `owners`, those of the browser that completed the payment,
 *  unless it has one of them: that browser may not have the guest token that the order was placed with. Runs no query if
 *  `found`, the order if it has been read, shows that nothing changes. Returns whether the owner changed. */
export async function bindOrder(primary: Database, id: string, owners: Owner[], found: FoundOrder | null) {
	const [owner] = owners;
	const own = owners.flatMap(({ guestTokenHash }) => guestTokenHash ?? []);
	if (!owner || (found && (found.userId !== null || own.includes(found.guestTokenHash ?? "")))) return false;
	const isBound = sql`${orders.paymentIntentId} = ${id} and ${orders.userId} is null
		and coalesce(${orders.guestTokenHash}, '') not in ${own}`;
	return (await assignOrders(primary, isBound, owner)) > 0;
}

/** Changes the owner of orders. Returns how many changed. */
async function assignOrders(primary: Database, isAssigned: SQL, owner: Owner): Promise<number> {
	const assigned = await primary.update(orders).set(owner).where(isAssigned).returning({ id: orders.paymentIntentId });
	return assigned.length;
}
