import { afterAll, beforeAll, expect, test } from "vitest";
import { Customer } from "../support/customer.ts";
import { read } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

async function usersNamed(email: string) {
	const { results } = await shop.d1.prepare("select * from users where email = ?").bind(email).all();
	return results;
}

/** Returns a unique email that starts with the given letters. */
const emailAround = (letters: string) => `${letters}-${crypto.randomUUID()}@example.com`;

test("Create account stores the user, signs them in and redirects to /", async () => {
	const visitor = new Customer(shop);
	const response = await visitor.createAccount();
	await read(response);
	expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
	expect(await usersNamed(visitor.email)).toEqual([
		{
			id: expect.stringMatching(/^\w{16}$/),
			email: visitor.email,
			password_hash: expect.stringMatching(/^scrypt\$/),
			created_at: expect.any(Number),
		},
	]);
	expect(await read(await visitor.fetch("/"))).toContain(`Hello ${visitor.email}`);
});

test("Sign In with email and password redirects to /, and every page with a header greets the customer", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	await visitor.signOut();
	const response = await visitor.signIn();
	expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
	for (const path of ["/", "/checkout", "/payment", "/orders", "/product/12321341", "/nowhere"]) {
		const page = await read(await visitor.fetch(path));
		expect(page).toContain(`Hello ${visitor.email}`);
		expect(page).toContain("Sign Out");
	}
});

test("an email that contains HTML is escaped on every page and in its inline data", async () => {
	const visitor = new Customer(shop);
	const script = "</script><script>alert(1)</script>";
	const { status } = await visitor.submit("/login", {
		email: `${script}${visitor.email}`,
		password: visitor.password,
		intent: "create-account",
	});
	expect(status).toBe(302);
	for (const path of ["/", "/checkout", "/payment", "/orders", "/nowhere"]) {
		const page = await read(await visitor.fetch(path));
		expect(page).toContain("Hello &lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
		expect(page).not.toContain("<script>alert");
	}
});

test("Sign Out ends the session and redirects to the page it was submitted from", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const response = await visitor.fetch("/logout", {
		method: "POST",
		headers: { Referer: new URL("/product/12321341", shop.url).href },
	});
	expect([response.status, response.headers.get("Location")]).toEqual([302, "/product/12321341"]);
	expect(await read(await visitor.fetch("/"))).toContain("Hello Guest");
});

test.each(["https://evil.test/product/12321341", "//evil.test", "javascript:alert(1)", "", "x"])(
	"Sign Out with the Referer %o redirects to /",
	async (referrer) => {
		const visitor = new Customer(shop);
		const response = await visitor.fetch("/logout", { method: "POST", headers: { Referer: referrer } });
		expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
	},
);

test.each(["//evil.test", "/\\evil.test/x", "///evil.test"])(
	"Sign Out from the unknown page %s redirects within the shop",
	async (path) => {
		const visitor = new Customer(shop);
		const headers = { Referer: shop.url.origin + path };
		const response = await visitor.fetch("/logout", { method: "POST", headers });
		expect([response.status, response.headers.get("Location")]).toEqual([302, expect.stringMatching(/^\/evil\.test/)]);
	},
);

test("GET /logout returns 405 and keeps the session", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	expect((await visitor.fetch("/logout")).status).toBe(405);
	expect(await read(await visitor.fetch("/"))).toContain(`Hello ${visitor.email}`);
});

test.each([
	["in upper case", emailAround("ada"), (email: string) => email.toUpperCase()],
	["with spaces around it", emailAround("ada"), (email: string) => ` ${email} `],
	["in NFD", emailAround("ren\u00e9"), (email: string) => email.normalize("NFD")],
	["in upper case and NFD", emailAround("ren\u00e9"), (email: string) => email.toUpperCase().normalize("NFD")],
	["whose upper case exists only in decomposed form", emailAround("\u01f0"), (email: string) => email.toUpperCase()],
])("an email %s matches the same account", async (_, email, respell) => {
	const password = "correct horse battery";
	const send = (intent: string, email: string) => new Customer(shop).submit("/login", { email, password, intent });
	expect((await send("create-account", email)).status).toBe(302);
	const again = await send("create-account", respell(email));
	expect(again.status).toBe(400);
	expect(await read(again)).toContain("An account with this email already exists.");
	expect((await send("sign-in", respell(email))).status).toBe(302);
	expect(await usersNamed(email)).toHaveLength(1);
});

test("50 identical concurrent Create account requests create one user and reject the others", async () => {
	// only the first request computes a password hash
	const visitor = new Customer(shop);
	const fields = { email: visitor.email, password: visitor.password, intent: "create-account" };
	const answers = await Promise.all(
		Array.from({ length: 50 }, async () => {
			const response = await new Customer(shop).submit("/login", fields);
			await read(response);
			return response.status;
		}),
	);
	expect(answers.toSorted()).toEqual([302, ...Array.from({ length: 49 }, () => 400)]);
	expect(await usersNamed(visitor.email)).toHaveLength(1);
});

test("Create account with an existing email keeps the account's password", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const thief = new Customer(shop);
	await thief.submit("/login", { email: visitor.email, password: `${thief.password}!`, intent: "create-account" });
	expect(thief.cookie("__Host-session")).toBeUndefined();
	await visitor.signOut();
	expect((await visitor.signIn()).status).toBe(302);
});

test.each([
	["8 characters", "kq7!xz2v"],
	["128 emoji", "🦆🦢🦉🐧🐦🦅🦩🐓".repeat(16)],
	["words with spaces and capitals", "  Correct  Horse "],
	["characters that a form escapes", "a&b=c%2B+d;é\u0000"],
])("a password of %s is compared exactly as entered", async (_, password) => {
	const { email } = new Customer(shop);
	const send = (intent: string, password: string) => new Customer(shop).submit("/login", { email, password, intent });
	expect((await send("create-account", password)).status).toBe(302);
	expect((await send("sign-in", password)).status).toBe(302);
	expect((await send("sign-in", `${password} `)).status).toBe(400);
	expect((await send("sign-in", password.toUpperCase().slice(1))).status).toBe(400);
});

test("an unknown email and a wrong password return identical responses, apart from the email", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const [known, unknown] = await Promise.all(
		[visitor.email, `x${visitor.email}`].map(async (email) => {
			const fields = { email, password: "wrong horse battery", intent: "sign-in" };
			const response = await new Customer(shop).submit("/login", fields);
			// matches nonces, D1 bookmarks and the durations in Server-Timing
			const chance = /(?<=nonce(-|="))[a-z2-7]{32}|[\da-f]{8}-[\da-f-]{27,}|(?<=dur=)\d+/g;
			const body = (await read(response)).replaceAll(email, "EMAIL").replaceAll(chance, "RANDOM");
			const headers = [...response.headers].map(([name, value]) => [name, value.replaceAll(chance, "RANDOM")]);
			return { status: response.status, body, headers };
		}),
	);
	expect(known).toEqual(unknown);
	expect(known?.body).toContain("Email or password is incorrect.");
	expect(known?.status).toBe(400);
});
