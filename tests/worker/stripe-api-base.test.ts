import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { listen } from "../support/listen.ts";
import { read } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

const keys = {
	STRIPE_SECRET_KEY: "sk_test_ofthisshop",
	STRIPE_PUBLISHABLE_KEY: "pk_test_ofthisshop",
	STRIPE_WEBHOOK_SECRET: "whsec_ofthisshop",
};

interface Received {
	call: string;
	headers: IncomingHttpHeaders;
	parameters: Record<string, string>;
}

/** Calls received by a fake Stripe server, which returns the same PaymentIntent for every call. */
let received: Received[] = [];
const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request.setEncoding("utf8")) body += chunk;
	const parameters = Object.fromEntries(new URLSearchParams(body));
	received.push({ call: `${request.method} ${request.url}`, headers: request.headers, parameters });
	response.setHeader("Content-Type", "application/json");
	response.end(JSON.stringify({ id: "pi_1", object: "payment_intent", client_secret: "pi_1_secret_2" }));
});
let base: string;

let shop: Shop | undefined;
beforeAll(async () => {
	base = `http://127.0.0.1:${await listen(server)}`;
});
beforeEach(() => {
	received = [];
});
afterEach(() => shop?.close());
afterAll(() => server.close());

async function create(secrets: Record<string, string>) {
	shop = await openShop({ secrets });
	const visitor = new Customer(shop);
	return {
		shop,
		visitor,
		response: await visitor.fetch(`/payments/create?total=${book.priceCents}`, { method: "POST" }),
	};
}

test("with STRIPE_API_BASE, the shop sends its Stripe calls to that server", async () => {
	const { response } = await create({ ...keys, STRIPE_API_BASE: base });
	expect([response.status, await response.json()]).toEqual([
		200,
		expect.objectContaining({ clientSecret: "pi_1_secret_2" }),
	]);
	expect(received).toEqual([
		{
			call: "POST /v1/payment_intents",
			headers: expect.objectContaining({
				host: new URL(base).host,
				authorization: `Bearer ${keys.STRIPE_SECRET_KEY}`,
				"content-type": "application/x-www-form-urlencoded",
				"stripe-version": "2026-10-28.endive",
				"idempotency-key": expect.stringMatching(/^stripe-node-retry-[\w-]{36}$/),
			}),
			parameters: {
				amount: String(book.priceCents),
				currency: "usd",
				"allowed_payment_method_types[0]": "card",
				"metadata[shop]": "half-dozen-local",
			},
		},
	]);
});

test("a redirect in response to a Stripe call is not followed", async () => {
	const redirecting = createServer((_, response) => {
		response.writeHead(307, { Location: `${base}/v1/payment_intents` }).end();
	});
	const STRIPE_API_BASE = `http://127.0.0.1:${await listen(redirecting)}`;
	const { response } = await create({ ...keys, STRIPE_API_BASE });
	redirecting.close();
	expect([response.status, await response.json()]).toMatchObject([503, { error: { code: "unavailable" } }]);
	expect(received).toEqual([]);
});

test.each([
	["a URL with a password", "http://ada:hunter2@127.0.0.1:12111", {}],
	["set with a live key", null, { STRIPE_SECRET_KEY: "sk_live_ofthisshop" }],
])("a STRIPE_API_BASE that is %s disables payments and is reported in the log", async (_, bad, otherKeys) => {
	const secrets = { ...keys, ...otherKeys, STRIPE_API_BASE: bad ?? base };
	const { shop, visitor, response } = await create(secrets);
	expect([response.status, await response.json()]).toMatchObject([503, { error: { code: "unavailable" } }]);
	expect(shop.logs()).toMatch(/No payments: set .*STRIPE_API_BASE/);
	expect(await read(await visitor.fetch("/payment"))).toContain("We can&#x27;t take payments right now.");
	expect(shop.logs()).toMatch(/payments_not_configured.*STRIPE_API_BASE/);
	expect((await visitor.fetch("/stripe-emulator/stripe.js")).status).toBe(404);
	for (const secret of [...Object.values(secrets), "hunter2"].filter((value) => value.trim())) {
		expect(shop.logs()).not.toContain(secret);
	}
	expect(received).toEqual([]);
});

test("without keys, a valid or invalid STRIPE_API_BASE has no effect on the emulator", async () => {
	for (const STRIPE_API_BASE of [base, "no URL"]) {
		const { shop, response } = await create({ STRIPE_API_BASE });
		expect(response.status).toBe(200);
		await shop.close();
	}
	expect(received).toEqual([]);
});

test("with only one key and an invalid STRIPE_API_BASE, the shop does not fall back to the emulator", async () => {
	const { STRIPE_SECRET_KEY } = keys;
	const { shop, response } = await create({ STRIPE_SECRET_KEY, STRIPE_API_BASE: "no URL" });
	expect(response.status).toBe(503);
	expect(shop.logs()).toContain("No payments: set");
});
