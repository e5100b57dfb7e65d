import { beforeEach, describe, expect, test, vi } from "vitest";
import { hashToken } from "#app/auth/sessions.server.ts";
import type { CookieJar } from "#app/http/cookies.server.ts";
import { now, OrderDatabase } from "../../tests/support/unit-orders.ts";
import { openCookies, openRequest, refuse, setCookies } from "../../tests/support/unit-request.ts";
import {
	claimGuestOrders,
	ensureOwner,
	guestCookieName,
	guestTokenHash,
	keepGuest,
	ownerToPlace,
	replaceGuest,
} from "./owner.server.ts";

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

test("an invalid guest token is ignored", async () => {
	const [cookies, database] = [ofBrowser("invalid"), new OrderDatabase()];
	const { services } = openRequest("/", "", undefined, { now: () => now });
	expect(guestTokenHash(cookies)).toBeNull();
	await claimGuestOrders(services, database.primary, cookies, "ada");
	replaceGuest(cookies);
	expect([setCookies(cookies), database.calls]).toEqual([[], []]);
});

test("guestTokenHash returns the hash of a valid token, which replaceGuest replaces", () => {
	const cookies = ofBrowser(token);
	expect(guestTokenHash(cookies)).toBe(hash);
	replaceGuest(cookies);
	expect(newToken(cookies)).not.toBe("");
	expect(newToken(cookies)).not.toBe(token);
});

describe("the orders of a guest", () => {
	let database: OrderDatabase;
	beforeEach(() => {
		database = new OrderDatabase();
	});

	test("are claimed later if D1 fails", async () => {
		const error = vi.spyOn(console, "error").mockReturnValue();
		const { services } = openRequest("/", "", undefined, { now: () => now });
		database.insertOrder("pi_1", { guestTokenHash: hash });
		database.failures.push("D1_ERROR: database is locked");
		expect(await claimGuestOrders(services, database.primary, ofBrowser(token), "ada")).toBe(false);
		expect(database.owners()).toEqual({ pi_1: hash });
		expect(error).toHaveBeenCalledOnce();
	});

	test("are claimed by the account that signs in, and its pages are notified once", async () => {
		vi.spyOn(console, "info").mockReturnValue();
		const notify = vi.fn(() => new Promise<void>((resolve) => setImmediate(resolve)));
		const orderFeed = vi.fn((_userId: string) => ({ fetch: refuse, disconnect: refuse, notify }));
		const { services } = openRequest("/", "", undefined, { now: () => now, orderFeed });
		database.insertOrder("pi_1", { guestTokenHash: hash });
		database.insertOrder("pi_2", { guestTokenHash: "other" });
		database.failures.push("Network connection lost.");
		for (const _ of [1, 2]) {
			expect(await claimGuestOrders(services, database.primary, ofBrowser(token), "ada")).toBe(true);
		}
		expect(database.owners()).toEqual({ pi_1: "ada", pi_2: "other" });
		expect(database.unresolved()).toMatchObject([{ payment_intent_id: "pi_1", created: now, due_at: now }]);
		expect(orderFeed.mock.calls).toEqual([["ada"]]);
	});
});
