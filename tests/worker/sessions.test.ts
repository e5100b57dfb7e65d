import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { sessionCookieName, sessionLifetime } from "#app/auth/sessions.server.ts";
import { bookmarkCookieName } from "#app/http/databases.server.ts";
import { book } from "../support/catalogue.ts";
import { Customer, statusOf } from "../support/customer.ts";
import { dumpTables, read } from "../support/response.ts";
import { openFileShop } from "./setup.ts";

/** How long a session lasts, in seconds. */
const lifetime = sessionLifetime.seconds();
const now = () => Math.floor(Date.now() / 1000);

const shop = await openFileShop();

/** Creates an account. Returns the visitor, the session's Set-Cookie header and its token. */
async function customer() {
	const visitor = new Customer(shop);
	const [cookie = ""] = sessionCookies(await visitor.createAccount());
	return { visitor, cookie, token: visitor.cookie(sessionCookieName) ?? "" };
}

const hash = (token: string) => createHash("sha256").update(token).digest("hex");

const selectSession = shop.d1.prepare("select * from sessions where id = ?");
const sessionRow = (token: string) => selectSession.bind(hash(token)).first<{ expires_at: number }>();

/** Changes when the session expires, instead of waiting for it to expire. */
const expire = (token: string, at: number) =>
	shop.d1.prepare("update sessions set expires_at = ? where id = ?").bind(at, hash(token)).run();

/** Loads a page. Returns its greeting and the session cookies it sets. */
async function comeBack(visitor: Customer, path = "/") {
	const response = await visitor.fetch(path);
	const [, greeting] = /Hello ([^<]+)</.exec(await read(response)) ?? [];
	return { greeting, cookies: sessionCookies(response) };
}

/** Returns the session cookies that a response sets. /orders also sets the bookmark of the primary. */
function sessionCookies({ headers }: Response): string[] {
	return headers.getSetCookie().filter((cookie) => cookie.startsWith(`${sessionCookieName}=`));
}

const cleared = `${sessionCookieName}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`;

test("a sign-in sets the bookmark of the primary, so that a replica finds the session", async () => {
	const { visitor } = await customer();
	expect(visitor.cookie(bookmarkCookieName)).toMatch(/^[\da-f]+(-[\da-f]+)+$/);
});

test("a session and its cookie have the same lifetime, and the database stores the SHA-256 of the token and never the token", async () => {
	const { cookie, token } = await customer();
	expect(cookie).toContain(`; Max-Age=${lifetime}; `);
	expect(token).toMatch(/^\w{40}$/);
	const row = await sessionRow(token);
	expect(Math.abs(Number(row?.expires_at) - now() - lifetime)).toBeLessThan(600);
	expect(JSON.stringify(await dumpTables(shop))).not.toContain(token);
});

test("signing in again issues a new token and ends the previous session", async () => {
	const { visitor, token } = await customer();
	await visitor.signIn();
	const next = visitor.cookie(sessionCookieName) ?? "";
	expect(next).toMatch(/^\w{40}$/);
	expect(next).not.toBe(token);
	expect(await sessionRow(token)).toBeNull();
	expect(await sessionRow(next)).not.toBeNull();
});

test("Sign Out deletes the session, and its cookie no longer signs in", async () => {
	const { visitor, token } = await customer();
	const response = await visitor.signOut();
	expect(response.headers.getSetCookie()).toContainEqual(cleared);
	expect(await sessionRow(token)).toBeNull();
	visitor.setCookie(sessionCookieName, token);
	expect(await comeBack(visitor)).toEqual({ greeting: "Guest", cookies: [cleared] });
});

test.each([
	["an unknown token", () => "a".repeat(40)],
	["a malformed escape", () => "%E0%A4%A"],
	["the hash that the database stores", async () => hash((await customer()).token)],
])("a session cookie with %s is served as a guest's and cleared", async (_, token) => {
	const visitor = new Customer(shop, { [sessionCookieName]: await token() });
	expect(await comeBack(visitor)).toEqual({ greeting: "Guest", cookies: [cleared] });
});

test("no page or .data response of a customer contains the session token or a hash", async () => {
	const { visitor, token } = await customer();
	for (const path of ["/", "/_root.data", "/checkout", "/payment.data", "/orders", "/orders.data"]) {
		const body = await read(await visitor.fetch(path));
		expect(body, path).toContain(visitor.email);
		for (const secret of [token, hash(token), "scrypt", "password_hash"]) expect(body, path).not.toContain(secret);
	}
});

test("an account closed as described in docs/operations.md is signed out everywhere and cannot sign in", async () => {
	const [{ visitor }, other] = [await customer(), await customer()];
	const { email, password } = visitor;
	const elsewhere = new Customer(shop);
	const signIn = () => elsewhere.submit("/login", { email, password });
	expect((await signIn()).status).toBe(302);

	const [, page = ""] = (await readFile("docs/operations.md", "utf8")).split("### Close an account");
	const [code = ""] = /^ {4}.*(\n {4}.*)*/m.exec(page) ?? [];
	const statements = code.split(";");
	expect(statements).toHaveLength(2);
	for (const statement of statements) {
		expect(statement).toContain("'ada@example.com'");
		await shop.d1.prepare(statement.replace("ada@example.com", email)).run();
	}

	for (const browser of [visitor, elsewhere]) {
		expect(await comeBack(browser)).toEqual({ greeting: "Guest", cookies: [cleared] });
	}
	expect((await signIn()).status).toBe(400);
	expect((await comeBack(other.visitor)).greeting).toBe(other.visitor.email);
});

test.each(["/", "/orders"])("on %s, a session is renewed in the second half of its lifetime", async (path) => {
	const { visitor, token } = await customer();
	const { email } = visitor;
	await expire(token, now() + lifetime / 2 + 60);
	expect(await comeBack(visitor, path)).toEqual({ greeting: email, cookies: [] });
	expect((await sessionRow(token))?.expires_at).toBeLessThanOrEqual(now() + lifetime / 2 + 60);

	await expire(token, now() + lifetime / 2 - 60);
	const renewed = expect.stringContaining(`${sessionCookieName}=${token}; Max-Age=${lifetime};`);
	expect(await comeBack(visitor, path)).toEqual({ greeting: email, cookies: [renewed] });
	expect((await sessionRow(token))?.expires_at).toBeGreaterThan(now() + lifetime - 600);

	await expire(token, now() - 1);
	expect(await comeBack(visitor, path)).toEqual({ greeting: "Guest", cookies: [cleared] });
});

test.each([
	["a background request", `/product/${book.id}.data`, { "Sec-Fetch-Dest": "empty" }],
	["a WebSocket's request", "/orders.data", { "Sec-Fetch-Dest": "websocket" }],
	["a prefetch", "/", { "Sec-Purpose": "prefetch", "Sec-Fetch-Dest": "document" }],
])("%s neither renews a session nor clears the cookie of an expired one", async (_, path, headers) => {
	const { visitor, token } = await customer();
	await expire(token, now() + lifetime / 4);
	expect(sessionCookies(await visitor.fetch(path, { headers }))).toEqual([]);
	expect((await sessionRow(token))?.expires_at).toBeLessThanOrEqual(now() + lifetime / 4);
	await expire(token, now() - 1);
	const response = await visitor.fetch(path, { headers });
	expect(await response.text()).not.toContain(visitor.email);
	expect(sessionCookies(response)).toEqual([]);
});

test("if the sessions cannot be deleted, the cron logs it and reconciles payments, and vice versa", async () => {
	const { visitor, token } = await customer();
	await shop.disableWebhooks();
	const clientSecret = await visitor.pay([book.id]);
	await expire(token, now() - 1);
	await shop.control({ control: "shop_fault", path: "cron", service: "d1", call: 6, fault: "before" });
	await expect(shop.reconcile()).rejects.toThrow();
	expect(shop.logs()).toMatch(/"event":"reconcile_failed","part":"delete_sessions"/);
	expect(await statusOf(shop, clientSecret)).toBe("paid");
	expect(await sessionRow(token)).not.toBeNull();
	await shop.control({ control: "shop_fault", path: "cron", service: "d1", call: 1, fault: "before" });
	await expect(shop.reconcile()).rejects.toThrow();
	expect(await sessionRow(token)).toBeNull();
	expect(shop.logs()).toMatch(/\{"event":"sessions_deleted","count":[1-9]\d*\}/);
	await shop.control({ control: "calm" });
});
