import { createServer } from "node:http";
import { afterAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { listen } from "../support/listen.ts";
import { openShop, type Shop } from "../support/shop.ts";

const secrets = {
	STRIPE_SECRET_KEY: "sk_test_ofthisshop",
	STRIPE_PUBLISHABLE_KEY: "pk_test_ofthisshop",
	STRIPE_WEBHOOK_SECRET: "whsec_ofthisshop",
};

const received: unknown[] = [];
/** A fake of Stripe, which redirects every call after the first. */
const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request.setEncoding("utf8")) body += chunk;
	const parameters = Object.fromEntries(new URLSearchParams(body));
	received.push({ call: `${request.method} ${request.url}`, headers: request.headers, parameters });
	if (received.length > 1) response.writeHead(307, { Location: "/elsewhere" }).end();
	else response.end(JSON.stringify({ id: "pi_1", object: "payment_intent", client_secret: "pi_1_secret_2" }));
});
let shop: Shop | undefined;
afterAll(async () => {
	await shop?.close();
	server.close();
});

test("with keys and STRIPE_API_BASE, the shop sends its Stripe calls to that server and follows no redirect", async () => {
	const base = `http://127.0.0.1:${await listen(server)}`;
	shop = await openShop({ secrets: { ...secrets, STRIPE_API_BASE: base } });
	const visitor = new Customer(shop);
	const create = async () => {
		const response = await visitor.fetch(`/payments/create?total=${book.priceCents}`, { method: "POST" });
		return [response.status, await response.json()];
	};
	expect(await create()).toMatchObject([200, { clientSecret: "pi_1_secret_2" }]);
	expect(received).toEqual([
		{
			call: "POST /v1/payment_intents",
			headers: expect.objectContaining({
				host: new URL(base).host,
				authorization: `Bearer ${secrets.STRIPE_SECRET_KEY}`,
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
	expect(await create()).toMatchObject([503, { error: { code: "unavailable" } }]);
	expect(JSON.stringify(received)).not.toContain("/elsewhere");
});
