import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer, idOf } from "../support/customer.ts";
import { dumpTables, read, readProblem } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop({ limited: true });
});
afterAll(() => shop?.close());

const oneOf = (count: number, status: number) => Array.from({ length: count }, () => status);

/** Returns a response's status, Retry-After and body, and asserts that it has the security headers. */
async function answerTo(request: Promise<Response>) {
	const response = await request;
	return { status: response.status, retryAfter: response.headers.get("Retry-After"), page: await read(response) };
}

function atOnce(count: number, send: (index: number) => Promise<Response>) {
	return Promise.all(Array.from({ length: count }, (_, index) => answerTo(send(index))));
}

const wrong = { password: "wrong horse battery", intent: "sign-in" };

test("the 11th sign-in attempt for one account in a minute returns 429 with Retry-After, from any IP address", async () => {
	const { email } = new Customer(shop);
	const spelt = (index: number) => (index % 2 ? email : email.toUpperCase());
	const answers = await atOnce(11, (index) =>
		new Customer(shop).submit(index % 3 ? "/login" : "/login.data", { ...wrong, email: spelt(index) }),
	);
	expect(answers.map(({ status }) => status).toSorted()).toEqual([...oneOf(10, 400), 429]);
	const refused = answers.find(({ status }) => status === 429);
	expect(refused?.retryAfter).toBe("60");
	expect(refused?.page).toContain("Too many attempts. Try again in a minute.");
	expect(refused?.page.toLowerCase()).toContain(email.toLowerCase());
	expect(refused?.page).not.toContain(wrong.password);
	expect((await new Customer(shop).submit("/login", { ...wrong, email: `x${email}` })).status).toBe(400);
});

test("after ten wrong passwords, the correct one returns 429, and other accounts are unaffected", async () => {
	const [guessed, unaffected] = [new Customer(shop), new Customer(shop)];
	await Promise.all([guessed.createAccount(), unaffected.createAccount()]);
	await atOnce(10, () => new Customer(shop).submit("/login", { ...wrong, email: guessed.email }));
	const { email, password } = guessed;
	expect((await new Customer(shop).submit("/login", { email, password, intent: "sign-in" })).status).toBe(429);
	expect((await unaffected.signIn()).status).toBe(302);
	// an existing session stays valid
	expect(await read(await guessed.fetch("/"))).toContain(`Hello ${guessed.email}`);
});

test("the 31st attempt from one IP address in a minute returns 429, for any account and intent", async () => {
	const thief = new Customer(shop);
	const answers = await atOnce(31, (index) => {
		// a rejected new password is not hashed, but counts as an attempt. At most three hashes wait for one address
		const signsIn = index % 15 === 0;
		const intent = signsIn ? "sign-in" : "create-account";
		const password = signsIn ? wrong.password : "password";
		return thief.submit("/login", { email: `${index}-${crypto.randomUUID()}@example.com`, password, intent });
	});
	expect(answers.map(({ status }) => status).toSorted()).toEqual([...oneOf(30, 400), 429]);
	expect(answers.find(({ status }) => status === 429)?.retryAfter).toBe("60");
});

test("a customer can sign in while four IP addresses send 100 sign-ins, and none returns 503", async () => {
	const customer = new Customer(shop);
	await customer.createAccount();
	const attackers = Array.from({ length: 4 }, () => new Customer(shop));
	const flood = attackers.map((attacker) =>
		atOnce(25, () => attacker.submit("/login", { ...wrong, email: `${crypto.randomUUID()}@example.com` })),
	);
	// once this later request has a response, all earlier requests have arrived
	await answerTo(new Customer(shop).fetch("/"));
	const signedIn = await customer.signIn();
	expect([signedIn.status, signedIn.headers.get("Location")]).toEqual([302, "/"]);
	const answers = (await Promise.all(flood)).flat();
	expect(answers.filter(({ status }) => status !== 400 && status !== 429)).toEqual([]);
	const refused = answers.filter(({ status }) => status === 429);
	expect(refused.length).toBeGreaterThan(40);
	expect(refused.filter(({ retryAfter }) => retryAfter !== "60")).toEqual([]);
});

test("the 31st payment from one IP address in a minute returns 429, and other IP addresses are unaffected", async () => {
	const visitor = new Customer(shop);
	const create = (by = visitor) => by.fetch(`/payments/create?total=${book.priceCents}`, { method: "POST" });
	const answers = await atOnce(30, () => create());
	expect(answers.map(({ status }) => status)).toEqual(oneOf(30, 200));
	const before = await dumpTables(shop);
	const refused = await create();
	expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
	expect(await readProblem(refused)).toBe("too_many_requests");
	expect(await dumpTables(shop)).toEqual(before);
	expect((await create(new Customer(shop))).status).toBe(200);
	expect(await dumpTables(shop)).toEqual(before);
});

test.each(["/payments/place", "/payments/fulfill"])(
	"the 31st POST %s from one IP address in a minute returns 429",
	async (path) => {
		const visitor = new Customer(shop);
		const answers = await atOnce(31, () => visitor.postJson(path, {}));
		expect(answers.map(({ status }) => status).toSorted()).toEqual([...oneOf(30, 400), 429]);
	},
);

test("60 requests for /orders all return 200 and poll an unpaid order at Stripe only 20 times", async () => {
	const customer = new Customer(shop);
	await customer.createAccount();
	const clientSecret = await customer.placeOrder([book.id]);
	const answers = await atOnce(60, () => customer.fetch("/orders"));
	expect(answers.map(({ status }) => status)).toEqual(oneOf(60, 200));
	const { journal } = await shop.emulator();
	const polls = journal.filter(({ method, path }) => method === "GET" && path.endsWith(idOf(clientSecret)));
	expect(polls).toHaveLength(20);
});

test("POST /stripe/webhook is not rate-limited", async () => {
	const stripe = new Customer(shop);
	const answers = await atOnce(40, () => stripe.fetch("/stripe/webhook", { method: "POST", body: "{}" }));
	expect(answers.map(({ status }) => status)).toEqual(oneOf(40, 400));
});

test("the log records rate-limited requests without emails or IP addresses", () => {
	expect(shop.logs()).toContain('{"event":"rate_limited","per":"address"}');
	expect(shop.logs()).toContain('{"event":"rate_limited","per":"account"}');
	expect(shop.logs()).not.toMatch(/rate_limit[^\n]*(@|10\.\d)/);
});

test("a 429 response to a request for a page has a page that says when to try again", async () => {
	const shopper = new Customer(shop);
	const headers = { Accept: "text/html" };
	const answers = await atOnce(31, () => shopper.fetch("/payments/create?total=0", { method: "POST", headers }));
	const [refused, ...others] = answers.filter(({ status }) => status === 429);
	expect([refused?.retryAfter, others]).toEqual(["60", []]);
	expect(refused?.page).toContain("<title>Too many requests · Half Dozen</title>");
	expect(refused?.page).toContain("<h1>Too many requests</h1>");
	expect(refused?.page).toContain("You have not been charged. Please try again in a minute.");
});
