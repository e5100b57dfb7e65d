import { generateIdFromEntropySize } from "lucia";
import { hashToken } from "#app/auth/sessions.server.ts";
import type { CookieJar } from "#app/http/cookies.server.ts";

/** The owner of an order: a customer, or the browser that holds the guest token with this hash. */
export type Owner = { userId: string; guestTokenHash: null } | { userId: null; guestTokenHash: string };

export const guestCookieName = "__Host-guest";
/** Period in which a guest can claim an order, in seconds: 90 days. */
const cookieLifetime = 90 * 24 * 60 * 60;

/** Returns the owner of an order of this browser: the customer, or a guest, whose cookie it renews or sets. The database
 *  stores only the hash of the guest's token. */
export function ensureOwner(userId: string | null, cookies: CookieJar): Owner {
	if (userId !== null) return { userId, guestTokenHash: null };
	return { userId, guestTokenHash: hashToken(keepGuest(cookies)) };
}

/** Returns the owner for whom an order is placed. In a browser that keeps no cookies, the payment's client secret
 *  replaces the guest's token: only the payer has it, in every attempt, and no cookie can contain it. */
export function ownerToPlace(userId: string | null, cookies: CookieJar, clientSecret: string): Owner {
	const owner = ensureOwner(userId, cookies);
	if (userId !== null || guestToken(cookies)) return owner;
	return { userId, guestTokenHash: hashToken(clientSecret) };
}

/** Renews the browser's guest token, or gives it a random one with as many bits as a session token. Returns it. */
export function keepGuest(cookies: CookieJar): string {
	return setToken(cookies, guestToken(cookies) ?? newToken());
}

const newToken = () => generateIdFromEntropySize(25);

function setToken(cookies: CookieJar, token: string): string {
	cookies.set(guestCookieName, token, cookieLifetime);
	return token;
}

/** Replaces the browser's guest token, if it has one, so that the next account cannot claim this one's orders. */
export function replaceGuest(cookies: CookieJar): void {
	if (guestToken(cookies)) setToken(cookies, newToken());
}

/** Returns the hash of this browser's guest token, or null. */
export function guestTokenHash(cookies: CookieJar): string | null {
	const token = guestToken(cookies);
	return token && hashToken(token);
}

function guestToken(cookies: CookieJar): string | null {
	const token = cookies.get(guestCookieName);
	return token && /^[a-z2-7]{40}$/.test(token) ? token : null;
}
