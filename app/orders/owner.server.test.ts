import { expect, test } from "vitest";
import { hashToken } from "#app/auth/sessions.server.ts";
import type { CookieJar } from "#app/http/cookies.server.ts";
import { openCookies, setCookies } from "../../tests/support/unit-request.ts";
import {
	ensureGuest,
	guestCookieName,
	guestTokenHashes,
	listOwners,
	ownerToPlace,
	replaceGuest,
} from "./owner.server.ts";

const token = "abcdefghijklmnopqrstuvwxyz234567abcdefgh";
const other = "a".repeat(40);
const clientSecret = "pi_1_secret_1";
const attributes = "Path=/; HttpOnly; Secure; SameSite=Lax";

/** The cookies of a browser with these guest tokens. */
const ofBrowser = (...tokens: string[]) =>
	openCookies(["__Host-other=1", ...tokens.map((sent) => `${guestCookieName(sent)}=${sent}`)].join("; "));

test("an order of a browser can belong to the customer, or to the guests of its tokens, and is placed for the first", () => {
	const cookies = ofBrowser(token, other);
	const guests = [token, other].map((sent) => ({ userId: null, guestTokenHash: hashToken(sent) }));
	expect(listOwners(null, cookies)).toEqual(guests);
	expect(ownerToPlace(null, cookies, clientSecret)).toEqual(guests[0]);
	for (const browser of [cookies, ofBrowser()]) {
		const customer = { userId: "ada", guestTokenHash: null };
		expect(listOwners("ada", browser)).toEqual([customer]);
		expect(ownerToPlace("ada", browser, clientSecret)).toEqual(customer);
		expect(setCookies(browser)).toEqual([]);
	}
});

/** Returns the guest token that is set for 180 days in the cookie with its name. */
function newToken(cookies: CookieJar): string {
	const set = setCookies(cookies).at(-1) ?? "";
	const sent = /=([a-z2-7]{40});/.exec(set)?.[1] ?? "";
	expect(set).toBe(`${guestCookieName(sent)}=${sent}; Max-Age=15552000; ${attributes}`);
	return sent;
}

test("without a token, a guest places for the client secret and gets a token, and pays for no one", () => {
	const [placing, paying] = [ofBrowser(), ofBrowser()];
	const placed = { userId: null, guestTokenHash: hashToken(clientSecret) };
	expect(ownerToPlace(null, placing, clientSecret)).toEqual(placed);
	expect(newToken(placing)).not.toBe("");
	expect(listOwners(null, paying)).toEqual([]);
	expect(setCookies(paying)).toEqual([]);
});

test("each response without a token sent sets another one, in another cookie", () => {
	const names = [ofBrowser(), ofBrowser()].map((cookies) => {
		ensureGuest(cookies);
		return guestCookieName(newToken(cookies));
	});
	expect(new Set(names).size).toBe(2);
});

test("guestTokenHashes returns the hashes of the first ten valid tokens, in the order sent", () => {
	const tokens = Array.from("abcdefghijkl", (letter) => letter.repeat(40));
	expect(guestTokenHashes(ofBrowser(token, other))).toEqual([token, other].map(hashToken));
	expect(guestTokenHashes(ofBrowser("invalid", ...tokens))).toEqual(tokens.slice(0, 10).map(hashToken));
});

test("replaceGuest deletes exactly the tokens that were sent, and sets a new one", () => {
	const cookies = ofBrowser(token, other);
	replaceGuest(cookies);
	const deleted = [token, other].map((sent) => `${guestCookieName(sent)}=; Max-Age=0; ${attributes}`);
	expect(setCookies(cookies).slice(0, -1)).toEqual(deleted);
	expect([token, other, ""]).not.toContain(newToken(cookies));
});

test.each([
	["a missing token", ""],
	["39 characters", token.slice(1)],
	["41 characters", `${token}a`],
	["a character outside base 32", `${token.slice(1)}1`],
	["an uppercase letter", token.toUpperCase()],
	["a token in the cookie of another one", other, token],
])("a cookie with %s is ignored", (_, sent, named = sent) => {
	const cookies = openCookies(`${guestCookieName(named)}=${sent}`);
	expect(guestTokenHashes(cookies)).toEqual([]);
	replaceGuest(cookies);
	expect(setCookies(cookies)).toEqual([]);
});
