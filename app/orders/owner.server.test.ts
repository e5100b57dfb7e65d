import { describe, expect, test } from "vitest";
import { hashToken } from "#app/auth/sessions.server.ts";
import type { CookieJar } from "#app/http/cookies.server.ts";
import { openCookies, setCookies } from "../../tests/support/unit-request.ts";
import { ensureOwner, guestCookieName, guestTokenHash, keepGuest, ownerToPlace, replaceGuest } from "./owner.server.ts";

const token = "abcdefghijklmnopqrstuvwxyz234567abcdefgh";
const hash = hashToken(token);
const clientSecret = "pi_1_secret_1";
const attributes = "Path=/; HttpOnly; Secure; SameSite=Lax";

const ofBrowser = (sent: string) => openCookies(`${guestCookieName}=${sent}; __Host-other=${token}`);

describe.each([
	["ensureOwner", ensureOwner],
	["ownerToPlace", (userId: string | null, cookies: CookieJar) => ownerToPlace(userId, cookies, clientSecret)],
])("%s", (_, ownerOf) => {
	test("returns the customer and sets no cookie if the shopper is signed in", () => {
		const cookies = ofBrowser("");
		expect(ownerOf("ada", cookies)).toEqual({ userId: "ada", guestTokenHash: null });
		expect(setCookies(cookies)).toEqual([]);
	});

	test("keeps a guest's token and renews its cookie for 90 days", () => {
		const cookies = ofBrowser(token);
		expect(ownerOf(null, cookies)).toEqual({ userId: null, guestTokenHash: hash });
		expect(setCookies(cookies)).toEqual([`${guestCookieName}=${token}; Max-Age=7776000; ${attributes}`]);
	});
});

/** Returns the valid guest token that is set. */
const newToken = (cookies: CookieJar) =>
	new RegExp(`^${guestCookieName}=([a-z2-7]{40});`).exec(setCookies(cookies).join())?.[1] ?? "";

test("without a valid token, a guest places for the client secret, and pays for the token of the response", () => {
	const [placing, paying] = [ofBrowser("invalid"), ofBrowser("invalid")];
	const placed = { userId: null, guestTokenHash: hashToken(clientSecret) };
	expect(ownerToPlace(null, placing, clientSecret)).toEqual(placed);
	expect(newToken(placing)).not.toBe("");
	const payer = ensureOwner(null, paying);
	expect(payer).toEqual({ userId: null, guestTokenHash: hashToken(newToken(paying)) });
});

test.each([
	["a missing token", ""],
	["39 characters", token.slice(1)],
	["41 characters", `${token}a`],
	["a character outside base 32", `${token.slice(1)}1`],
	["an uppercase letter", token.toUpperCase()],
])("keepGuest replaces %s with a random token of 200 bits", (_, sent) => {
	const tokens = [ofBrowser(sent), ofBrowser(sent)].map((cookies) => {
		keepGuest(cookies);
		return newToken(cookies);
	});
	expect(new Set(tokens).size).toBe(2);
	expect(tokens).not.toContain("");
});

test("an invalid guest token is ignored", () => {
	const cookies = ofBrowser("invalid");
	expect(guestTokenHash(cookies)).toBeNull();
	replaceGuest(cookies);
	expect(setCookies(cookies)).toEqual([]);
});

test("guestTokenHash returns the hash of a valid token, which replaceGuest replaces", () => {
	const cookies = ofBrowser(token);
	expect(guestTokenHash(cookies)).toBe(hash);
	replaceGuest(cookies);
	expect(newToken(cookies)).not.toBe("");
	expect(newToken(cookies)).not.toBe(token);
});
