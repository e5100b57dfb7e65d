import { PUBLISHABLE_KEY } from "stripe-emulator/keys.ts";
import { expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import { book } from "../support/catalogue.ts";
import { Customer, idOf } from "../support/customer.ts";
import { sendRaw } from "../support/raw-request.ts";
import { read, readProblem } from "../support/response.ts";
import { newCustomer, openFileShop } from "./setup.ts";

const demoHost = "demo.example.com";

const secrets = { STRIPE_EMULATOR_HOSTS: `other.example.com, ${demoHost}` };
const shop = await openFileShop({ limited: true, secrets });

const repeat = (count: number, status: number) => Array.from({ length: count }, () => status);

/** Sends requests at once. Returns their statuses, sorted, and asserts that the responses have the security headers. */
async function statusesOf(count: number, send: (index: number) => Promise<Response>): Promise<number[]> {
	const requests = Array.from({ length: count }, async (_, index) => {
		const response = await send(index);
		await read(response);
		if (response.status === 429) expect(response.headers.get("Retry-After")).toBe("60");
		return response.status;
	});
	return (await Promise.all(requests)).toSorted();
}

const wrong = { password: "wrong horse battery" };
const tooMany = "Too many attempts. Try again in a minute.";

test("after ten attempts at one account in a minute, by any button and from any address, its password returns 429", async () => {
	const [guessed, unaffected] = [await newCustomer(shop), await newCustomer(shop)];
	const { email, password } = guessed;
	const intents = ["", "create-account"];
	// the account's creation was the first attempt
	const guesses = await statusesOf(9, (index) => {
		const typed = { ...wrong, email: index % 2 ? email : email.toUpperCase(), intent: intents[index % 2] ?? "" };
		return new Customer(shop).submit(index % 3 ? "/login" : "/login.data", typed);
	});
	expect(guesses).toEqual(repeat(9, 400));
	for (const intent of intents) {
		const refused = await new Customer(shop).submit("/login", { email, password, intent });
		const page = await read(refused);
		expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
		expect(page).toContain(tooMany);
		expect(page).toContain(`value="${email}"`);
		expect(page).not.toContain(password);
	}
	expect(await guessed.page("/")).toContain(email);
	expect((await unaffected.signIn()).status).toBe(302);
	expect(shop.logs()).toContain('{"event":"rate_limited","per":"account"}');
	expect(shop.logs()).not.toContain(email);
});

test("the 31st attempt at /login from one IP address in a minute returns 429, for any account and intent", async () => {
	const thief = new Customer(shop);
	// a rejected new password is not hashed, but counts as an attempt; so does a form without a password
	const weak = { password: "password", intent: "create-account" };
	const attempts = (index: number) =>
		thief.submit("/login", { ...(index % 2 && weak), email: `${index}@attempt.example` });
	expect(await statusesOf(30, attempts)).toEqual(repeat(30, 400));
	const refused = await thief.submit("/login", { ...wrong, email: "31@attempt.example" });
	expect([refused.status, await read(refused)]).toEqual([429, expect.stringContaining(tooMany)]);
	expect(shop.logs()).toContain('{"event":"rate_limited","per":"address"}');
	expect(shop.logs()).not.toMatch(/attempt\.example|"10\.\d/);
});

test("a customer can sign in while one IP address sends more sign-ins than can be hashed, which return 429", async () => {
	const [customer, attacker] = [await newCustomer(shop), new Customer(shop)];
	const flood = statusesOf(25, (index) => attacker.submit("/login", { ...wrong, email: `${index}@flood.example` }));
	// once this later request has a response, all earlier requests have arrived
	await customer.page("/");
	expect((await customer.signIn()).status).toBe(302);
	const statuses = await flood;
	expect(new Set(statuses)).toEqual(new Set([400, 429]));
	expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10);
});

test.each([
	["/payments/create?total=0", ""],
	["/payments/place", "{}"],
	["/payments/fulfill", "{}"],
	["/payments/outcome", "{}"],
])("the 31st POST %s from one IP address in a minute returns 429, and none from another", async (path, body) => {
	const visitor = new Customer(shop);
	const send = (Accept: string, by = visitor) =>
		by.fetch(path, { method: "POST", headers: { Accept, "Content-Type": "application/json" }, body: body || null });
	expect(await statusesOf(30, () => send("*/*"))).toEqual(repeat(30, 400));
	const refused = await send("*/*");
	expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
	expect(await readProblem(refused)).toBe("too_many_requests");
	const page = await read(await send("text/html"));
	expect(page).toContain("Too many requests from your network. Please try again in a minute.");
	expect((await send("*/*", new Customer(shop))).status).toBe(400);
});

test("GET /orders polls an unpaid order at Stripe only 20 times a minute, and still returns 200", async () => {
	const customer = await newCustomer(shop);
	const clientSecret = await customer.placeOrder([book.id]);
	expect(await statusesOf(22, () => customer.fetch("/orders"))).toEqual(repeat(22, 200));
	const { journal } = await shop.emulator();
	const polls = journal.filter(({ method, path }) => method === "GET" && path.endsWith(idOf(clientSecret)));
	expect(polls).toHaveLength(20);
});

test("the 31st API call to a public demo from one IP address in a minute returns 429", async () => {
	const { id, client_secret } = await shop.stripe.paymentIntents.create({ amount: 1499, currency });
	const query = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret: client_secret ?? "" });
	const retrieve = async (address: string) => {
		const target = `/stripe-emulator/v1/payment_intents/${id}?${query}`;
		const headers = Object.entries({ Host: demoHost, "CF-Connecting-IP": address });
		return (await sendRaw(shop.url, { target, headers })).status;
	};
	expect(await Promise.all(Array.from({ length: 30 }, () => retrieve("10.0.0.1")))).toEqual(repeat(30, 200));
	expect(await retrieve("10.0.0.1")).toBe(429);
	expect(await retrieve("10.0.0.2")).toBe(200);
});
