import { beforeEach, expect, test } from "vitest";
import { openShop, type Shop, unpaid } from "../../tests/support/payments.ts";
import { stripe, timeouts } from "../../tests/support/unit-request.ts";
import { retrievePaymentIntent } from "./payment-intents.server.ts";
import { openPayments } from "./stripe-api.server.ts";

let shop: Shop;

beforeEach(() => {
	shop = openShop();
});

const retrieve = ({ payments } = shop) => retrievePaymentIntent(payments.stripe, "pi_1");

test("openPayments throws the names of the missing variables", () => {
	const missing = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"];
	const open = () => openPayments({ ...shop, services: { ...shop.services, stripe: { missing } } });
	expect(open).toThrow("No payments: set STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET (see .dev.vars.example).");
});

test("calls have the account's key and send no telemetry", async () => {
	shop.responses.retrieve = () => Response.json(unpaid, { headers: { "Request-Id": "req_1" } });
	for (const _ of [1, 2]) await retrieve();
	expect(shop.headers.map((sent) => sent.get("Authorization"))).toEqual(["Bearer sk_test_1", "Bearer sk_test_1"]);
	expect(shop.headers.map((sent) => sent.get("X-Stripe-Client-Telemetry"))).toEqual([null, null]);
});

// concurrent, because the SDK waits half a second before it retries
test.concurrent("a second 429 is thrown with Stripe's message and request id", async () => {
	const own = openShop();
	const error = { error: { message: "Slow down." } };
	own.responses.retrieve = () => Response.json(error, { status: 429, headers: { "Request-Id": "req_1" } });
	const thrown = { message: "Slow down.", statusCode: 429, requestId: "req_1" };
	await expect(retrieve(own)).rejects.toMatchObject(thrown);
	expect(own.calls).toEqual(["retrieve", "retrieve"]);
});

test("a 429 that Stripe says not to retry is not retried", async () => {
	const headers = { "Stripe-Should-Retry": "false" };
	shop.responses.retrieve = () => Response.json({ error: { message: "Slow down." } }, { status: 429, headers });
	await expect(retrieve()).rejects.toMatchObject({ statusCode: 429 });
	expect(shop.calls).toEqual(["retrieve"]);
});

test.concurrent("each of two attempts times out after timeouts.stripeCall milliseconds", async () => {
	let attempts = 0;
	const fetch = (_: RequestInfo | URL, init?: RequestInit) => {
		attempts++;
		return new Promise<Response>((_, reject) => {
			init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
		});
	};
	const own = openShop({ stripe: { ...stripe, fetch }, timeouts: { ...timeouts, stripeCall: 20 } });
	await expect(retrieve(own)).rejects.toThrow("20ms");
	expect(attempts).toBe(2);
});
