import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Customer } from "../support/customer.ts";
import { dumpTables, read } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

const day = 24 * 60 * 60;
const now = () => Math.floor(Date.now() / 1000);

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

/** Somebody who has just created an account, and the token their browser got for it. */
async function customer() {
	const visitor = new Customer(shop);
	const response = await visitor.createAccount();
	const cookie = response.headers.getSetCookie().find((cookie) => cookie.startsWith("__Host-session=")) ?? "";
	return { visitor, cookie, token: visitor.cookie("__Host-session") ?? "" };
}

const hash = (token: string) => createHash("sha256").update(token).digest("hex");

function sessionRow(token: string) {
	return shop.d1
		.prepare("select * from sessions where id = ?")
		.bind(hash(token))
		.first<{ user_id: string; expires_at: number; created_at: number }>();
}

/** Lets time pass over a session: D1 is told other times, since nobody can wait for 90 days. */
async function age(token: string, column: "expires_at" | "created_at", to: number) {
	await shop.d1.prepare(`update sessions set ${column} = ? where id = ?`).bind(to, hash(token)).run();
}

/** How the home page greets, and what became of the session cookie. */
async function comeBack(visitor: Customer) {
	const response = await visitor.fetch("/");
	const [, greeting] = /Hello ([^<]+)</.exec(await read(response)) ?? [];
	return { greeting, cookies: response.headers.getSetCookie() };
}

const cleared = expect.stringMatching(/^__Host-session=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/);

test("the session cookie is __Host-session, Secure, HttpOnly, SameSite=Lax, for the whole site and 30 days", async () => {
	const { cookie } = await customer();
	const [, ...attributes] = cookie.split("; ");
	expect(attributes.toSorted()).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"]);
});

test("the database holds the SHA-256 of the token in the cookie and nowhere the token", async () => {
	const { token } = await customer();
	expect(token).toMatch(/^\w{40}$/);
	const row = await sessionRow(token);
	expect(row?.expires_at).toBeGreaterThan(now() + 30 * day - 60);
	expect(row?.expires_at).toBeLessThanOrEqual(now() + 30 * day);
	expect(row?.created_at).toBeGreaterThan(now() - 60);
	expect(JSON.stringify(await dumpTables(shop))).not.toContain(token);
});

test("signing in again gives a token nobody has had and ends the session it came with", async () => {
	const { visitor, token } = await customer();
	await visitor.signIn();
	const next = visitor.cookie("__Host-session") ?? "";
	expect(next).toMatch(/^\w{40}$/);
	expect(next).not.toBe(token);
	expect(await sessionRow(token)).toBeNull();
	expect(await sessionRow(next)).not.toBeNull();
});

test("signing in from another browser leaves the first one signed in", async () => {
	const { visitor } = await customer();
	const { email, password } = visitor;
	await new Customer(shop).submit("/login", { email, password, intent: "sign-in" });
	expect(await comeBack(visitor)).toEqual({ greeting: email, cookies: [] });
});

test("Sign Out deletes the session, and its cookie signs nobody in again", async () => {
	const { visitor, token } = await customer();
	const response = await visitor.signOut();
	expect(response.headers.getSetCookie()).toContainEqual(cleared);
	expect(await sessionRow(token)).toBeNull();
	visitor.setCookie("__Host-session", token);
	expect(await comeBack(visitor)).toEqual({ greeting: "Guest", cookies: [cleared] });
});

test("a background request that overlaps a sign-in leaves the new session's cookie alone", async () => {
	const { visitor, token } = await customer();
	await visitor.signIn();
	for (const destination of ["empty", "websocket"]) {
		const headers = { Cookie: `__Host-session=${token}`, "Sec-Fetch-Dest": destination };
		const response = await shop.fetch("/orders.data", { headers });
		expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
	}
	visitor.setCookie("__Host-session", token);
	const response = await visitor.fetch("/orders", { headers: { "Sec-Fetch-Dest": "document" } });
	expect(response.headers.getSetCookie()).toEqual([cleared]);
});

test("Sign Out ends this browser's session and not the others of the customer", async () => {
	const { visitor } = await customer();
	const { email, password } = visitor;
	const other = new Customer(shop);
	await other.submit("/login", { email, password, intent: "sign-in" });
	await other.signOut();
	expect((await comeBack(visitor)).greeting).toBe(email);
});

test("Sign Out as a guest goes to / and changes nothing", async () => {
	const before = await dumpTables(shop);
	const response = await new Customer(shop).signOut();
	expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
	expect(await dumpTables(shop)).toEqual(before);
});

const invented: [string, string][] = [
	["a word", "abc"],
	["a token of the right shape", "a".repeat(40)],
	["a hash", hash("a")],
	["an attempt at SQL", "' OR 1=1--"],
	["an escaped NUL", "%00"],
	["a broken escape", "%E0%A4%A"],
	["a name objects have", "__proto__"],
	["4,000 characters", "x".repeat(4000)],
];

test.each(invented)("a session cookie that somebody invented is a guest's, and is cleared: %s", async (_, token) => {
	const visitor = new Customer(shop);
	visitor.setCookie("__Host-session", token);
	expect(await comeBack(visitor)).toEqual({ greeting: "Guest", cookies: [cleared] });
});

test.each(invented.slice(0, 3))(
	"signing in with an invented session cookie gives a fresh token: %s",
	async (_, token) => {
		const visitor = new Customer(shop);
		visitor.setCookie("__Host-session", token);
		await visitor.createAccount();
		expect(visitor.cookie("__Host-session")).toMatch(/^\w{40}$/);
		expect(visitor.cookie("__Host-session")).not.toBe(token);
		expect(await sessionRow(token)).toBeNull();
	},
);

test("the hash in the database, read by a thief, signs nobody in", async () => {
	const { token } = await customer();
	const thief = new Customer(shop);
	thief.setCookie("__Host-session", hash(token));
	expect(await comeBack(thief)).toEqual({ greeting: "Guest", cookies: [cleared] });
});

test("no page and no data of a customer's has a hash, or the token that stands in the cookie", async () => {
	const { visitor, token } = await customer();
	for (const path of ["/", "/_root.data", "/checkout", "/payment.data", "/orders", "/orders.data"]) {
		const body = await read(await visitor.fetch(path));
		expect(body, path).toContain(visitor.email);
		for (const secret of [token, hash(token), "scrypt", "password_hash"]) expect(body, path).not.toContain(secret);
	}
});

test("an account that is closed as docs/operations.md says is signed out everywhere and opens for nobody", async () => {
	const [{ visitor }, other] = [await customer(), await customer()];
	const { email, password } = visitor;
	const elsewhere = new Customer(shop);
	const signIn = () => elsewhere.submit("/login", { email, password, intent: "sign-in" });
	expect((await signIn()).status).toBe(302);

	const [, page = ""] = (await readFile("docs/operations.md", "utf8")).split("### Closing an account");
	const statements = page
		.split("\n#")[0]
		?.match(/^ {4}.*(\n {4}.*)*/m)?.[0]
		.split(";");
	expect(statements).toHaveLength(2);
	for (const statement of statements ?? []) {
		expect(statement).toContain("'ada@example.com'");
		await shop.d1.prepare(statement.replace("ada@example.com", email)).run();
	}

	for (const browser of [visitor, elsewhere]) {
		expect(await comeBack(browser)).toEqual({ greeting: "Guest", cookies: [cleared] });
	}
	expect((await signIn()).status).toBe(400);
	expect((await comeBack(other.visitor)).greeting).toBe(other.visitor.email);
});

test("a session in the first half of its 30 days is left as it is", async () => {
	const { visitor, token } = await customer();
	await age(token, "expires_at", now() + 16 * day);
	expect(await comeBack(visitor)).toEqual({ greeting: visitor.email, cookies: [] });
	expect((await sessionRow(token))?.expires_at).toBeLessThanOrEqual(now() + 16 * day);
});

test("a session past its half is renewed, and the same token sent again for 30 days", async () => {
	const { visitor, token } = await customer();
	await age(token, "expires_at", now() + 14 * day);
	const { greeting, cookies } = await comeBack(visitor);
	expect(greeting).toBe(visitor.email);
	expect(cookies).toEqual([expect.stringContaining(`__Host-session=${token}; Max-Age=2592000;`)]);
	expect((await sessionRow(token))?.expires_at).toBeGreaterThan(now() + 30 * day - 60);
});

test.each([
	["a background request", "/product/12321341.data", { "Sec-Fetch-Dest": "empty" }],
	["a page in advance", "/", { "Sec-Purpose": "prefetch", "Sec-Fetch-Dest": "document" }],
])("%s neither renews a session nor deletes an expired one", async (_, path, headers) => {
	const { visitor, token } = await customer();
	await age(token, "expires_at", now() + day);
	expect((await visitor.fetch(path, { headers })).headers.getSetCookie()).toEqual([]);
	expect((await sessionRow(token))?.expires_at).toBeLessThanOrEqual(now() + day);
	await age(token, "expires_at", now() - 1);
	const response = await visitor.fetch(path, { headers });
	expect(await response.text()).not.toContain(visitor.email);
	expect(response.headers.getSetCookie()).toEqual([]);
	expect(await sessionRow(token)).not.toBeNull();
});

test("a session that nobody used for 30 days is over, and its row deleted", async () => {
	const { visitor, token } = await customer();
	await age(token, "expires_at", now() - 1);
	expect(await comeBack(visitor)).toEqual({ greeting: "Guest", cookies: [cleared] });
	expect(await sessionRow(token)).toBeNull();
});

test("a session ends after 90 days however regularly it was used", async () => {
	const { visitor, token } = await customer();
	await age(token, "expires_at", now() + 20 * day);
	await age(token, "created_at", now() - 90 * day + 600);
	expect((await comeBack(visitor)).greeting).toBe(visitor.email);
	await age(token, "created_at", now() - 90 * day);
	expect(await comeBack(visitor)).toEqual({ greeting: "Guest", cookies: [cleared] });
	expect(await sessionRow(token)).toBeNull();
});

test("renewing a session does not make it younger", async () => {
	const { visitor, token } = await customer();
	const created = now() - 80 * day;
	await age(token, "created_at", created);
	await age(token, "expires_at", now() + day);
	await visitor.page("/");
	expect(await sessionRow(token)).toMatchObject({ created_at: created });
});
