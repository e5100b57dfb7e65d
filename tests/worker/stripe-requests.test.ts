import { expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import { apiVersion } from "#app/payments/stripe-api.server.ts";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { policyOf, read } from "../support/response.ts";
import { shopId } from "../support/shop.ts";
import { openFileShop } from "./setup.ts";

const secrets = {
	STRIPE_SECRET_KEY: "sk_test_1",
	STRIPE_PUBLISHABLE_KEY: "pk_test_1",
	STRIPE_WEBHOOK_SECRET: "whsec_1",
};

const received: { call: string; headers: object; parameters: object }[] = [];
const shop = await openFileShop({
	secrets,
	// a fake of Stripe, which redirects every call after the first
	async outbound(request) {
		const parameters = Object.fromEntries(new URLSearchParams(await request.text()));
		const headers = Object.fromEntries(request.headers);
		received.push({ call: `${request.method} ${request.url}`, headers, parameters });
		if (received.length > 1) return new Response(null, { status: 307, headers: { Location: "/elsewhere" } });
		return Response.json({ id: "pi_1", object: "payment_intent", client_secret: "pi_1_secret_2" });
	},
});

test("with keys, the shop sends its calls to Stripe and follows no redirect", async () => {
	const visitor = new Customer(shop);
	const create = async () => {
		const response = await visitor.fetch(`/payments/create?total=${book.priceCents}`, { method: "POST" });
		return [response.status, await response.json()];
	};
	expect(await create()).toMatchObject([200, { clientSecret: "pi_1_secret_2" }]);
	const headers = expect.objectContaining({
		...{ authorization: `Bearer ${secrets.STRIPE_SECRET_KEY}`, "stripe-version": apiVersion },
		"content-type": "application/x-www-form-urlencoded",
		"idempotency-key": expect.stringMatching(/^stripe-node-retry-[\w-]{36}$/),
	});
	const card = { "allowed_payment_method_types[0]": "card", "metadata[shop]": shopId };
	const parameters = { amount: String(book.priceCents), currency, ...card };
	expect(received).toEqual([{ call: "POST https://api.stripe.com/v1/payment_intents", headers, parameters }]);
	expect(await create()).toMatchObject([503, { error: { code: "unavailable" } }]);
	expect(JSON.stringify(received)).not.toContain("/elsewhere");
});

test("with keys, /payment names Stripe, and the Content-Security-Policy also allows Stripe's hosts and no others", async () => {
	const response = await new Customer(shop).fetch("/payment");
	const html = await read(response);
	expect(html).not.toMatch(/<script[^>]* src="(https?:)?\/\//);
	expect(html).toContain("<small>Stripe handles your card. It never reaches our server.</small>");
	expect(policyOf(response)).toEqual([
		"default-src 'none'",
		"script-src 'self' 'nonce' https://js.stripe.com https://*.js.stripe.com",
		...["style-src 'self'", "img-src 'self'", "connect-src 'self' https://api.stripe.com"],
		"frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
		...["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
	]);
});

test("with keys, the emulator is not served", async () => {
	for (const path of ["/", "/stripe.js", "/v1/payment_intents"]) {
		expect((await shop.fetch(`/stripe-emulator${path}`)).status).toBe(404);
	}
});
