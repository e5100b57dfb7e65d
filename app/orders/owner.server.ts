import { generateIdFromEntropySize } from "lucia";
import { hashToken } from "#app/auth/sessions.server.ts";
import type { CookieJar } from "#app/http/cookies.server.ts";

/** The owner of an order: a customer, or the browser that holds the guest token with this hash. */
export type Owner = { userId: string; guestTokenHash: null } | { userId: null; guestTokenHash: string };

/** Each guest token has a cookie of its own, so that a late response can add a token to those of a browser, but never
 *  replace one that owns orders. */
export const guestCookiePrefix = "__Host-guest-";
export const guestCookieName = (token: string) => guestCookiePrefix + token.slice(0, 8);
/** Lifetime of a guest token, in seconds: 180 days. No response renews it, because a late one would restore a token that
 *  has been deleted. So a guest can claim an order of the first 90 days for at least 90 days. */
const tokenLifetime = 180 * 24 * 60 * 60;

/** Lists the owners that an order of this browser can have: the customer, or the guests of the tokens that it has sent.
 *  The database stores only the hash of a guest's token. */
export function listOwners(userId: string | null, cookies: CookieJar): Owner[] {
	if (userId !== null) return [{ userId, guestTokenHash: null }];
	return guestTokenHashes(cookies).map((guestTokenHash) => ({ userId, guestTokenHash }));
}

/** Returns the owner for whom an order is placed. In a browser that keeps no cookies, the payment's client secret
 *  replaces the guest's token: only the payer has it, in every attempt, and no cookie can contain it. */
export function ownerToPlace(userId: string | null, cookies: CookieJar, clientSecret: string): Owner {
	const [owner] = listOwners(userId, cookies);
	if (owner) return owner;
	addGuest(cookies);
	return { userId: null, guestTokenHash: hashToken(clientSecret) };
}

/** Gives the browser a guest token if it has sent none. */
export function ensureGuest(cookies: CookieJar): void {
	if (guestTokens(cookies).length === 0) addGuest(cookies);
}

/** Gives the browser a random guest token with as many bits as a session token. */
function addGuest(cookies: CookieJar): void {
	const token = generateIdFromEntropySize(25);
	cookies.set(guestCookieName(token), token, tokenLifetime);
}

/** Replaces the browser's guest tokens, if it has any, so that the next account cannot claim this browser's
 *  orders. */
export function replaceGuest(cookies: CookieJar): void {
	if (forgetGuest(cookies)) addGuest(cookies);
}

/** Deletes the browser's guest tokens. Returns whether it has sent any. */
export function forgetGuest(cookies: CookieJar): boolean {
	const tokens = guestTokens(cookies);
	for (const token of tokens) cookies.forget(guestCookieName(token));
	return tokens.length > 0;
}

export function guestTokenHashes(cookies: CookieJar): string[] {
	return guestTokens(cookies).map(hashToken);
}

/** Returns up to ten guest tokens of this browser, one unless several requests lacked one. Browsers send the oldest cookie
 *  first, so that the first token stays the same (https://www.rfc-editor.org/rfc/rfc6265#section-5.4). */
function guestTokens(cookies: CookieJar): string[] {
	const isValid = (token: string) => /^[a-z2-7]{40}$/.test(token) && cookies.get(guestCookieName(token)) === token;
	return cookies.values(guestCookiePrefix).filter(isValid).slice(0, 10);
}
