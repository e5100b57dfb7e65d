import { desc, eq } from "drizzle-orm";
import { generateIdFromEntropySize } from "lucia";
import { hashToken } from "#app/auth/sessions.server.ts";
import type { CookieJar } from "#app/http/cookies.server.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Services } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders } from "#drizzle/schema.ts";
import { notifyFeed } from "./feed.server.ts";
import { claimOrders, type Owner } from "./orders.server.ts";

const cookieName = "__Host-guest";
/** Period in which a guest can claim an order, in seconds: 90 days. */
const cookieLifetime = 90 * 24 * 60 * 60;

/** Returns the owner of orders placed in this browser. Gives a guest a random token with as many bits as a session
 *  token; the database stores only the token's hash. */
export function ensureOwner(userId: string | null, cookies: CookieJar): Owner {
	if (userId !== null) return { userId, guestTokenHash: null };
	const token = guestToken(cookies) ?? generateIdFromEntropySize(25);
	cookies.set(cookieName, token, cookieLifetime);
	return { userId: null, guestTokenHash: hashToken(token) };
}

/** Moves this browser's guest orders to the signed-in account. Keeps the token until sign-out, for an order that is
 *  being placed at the same time. */
export async function claimGuestOrders(
	services: Services,
	primary: Database,
	cookies: CookieJar,
	userId: string,
): Promise<void> {
	const token = guestTokenHash(cookies);
	if (!token) return;
	const claimed = await retryOnce(() => claimOrders(primary, token, userId, services.now()));
	if (claimed) await notifyFeed(services, userId);
}

/** Returns the ids of this browser's newest guest orders that no account has claimed, newest first. */
export async function listUnclaimedOrders(primary: Database, cookies: CookieJar): Promise<string[]> {
	const token = guestTokenHash(cookies);
	if (!token) return [];
	const unclaimed = await primary
		.select({ id: orders.paymentIntentId })
		.from(orders)
		.where(eq(orders.guestTokenHash, token))
		.orderBy(desc(orders.created))
		.limit(20);
	return unclaimed.map(({ id }) => id);
}

export function forgetGuest(cookies: CookieJar): void {
	if (guestToken(cookies)) cookies.forget(cookieName);
}

/** Returns the hash of this browser's guest token, or null. */
export function guestTokenHash(cookies: CookieJar): string | null {
	const token = guestToken(cookies);
	return token && hashToken(token);
}

function guestToken(cookies: CookieJar): string | null {
	const token = cookies.get(cookieName);
	return token && /^[a-z2-7]{40}$/.test(token) ? token : null;
}
