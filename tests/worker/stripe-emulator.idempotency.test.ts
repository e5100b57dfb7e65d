import { request as httpRequest } from "node:http";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../stripe-emulator/keys.ts";
import { create, refusal, shop, stripe } from "../support/stripe-emulator.ts";

test("the same key and parameters get the first answer again", async () => {
	const idempotencyKey = crypto.randomUUID();
	const first = await create({ idempotencyKey });
	const again = await create({ idempotencyKey });
	expect(again).toEqual(first);
	expect(replayed(first)).toBe(false);
	expect(replayed(again)).toBe(true);
	expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId);
});

test("a decline is the answer to its key, even when a new attempt would succeed", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	const decline = () =>
		stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa_chargeDeclined" }, { idempotencyKey });
	const first = await refusal(decline());
	await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	const again = await refusal(decline());
	expect(again).toMatchObject({ statusCode: 402, charge: first.charge });
	expect(again.headers?.["idempotent-replayed"]).toBe("true");
});

test("a key used for something else is refused", async () => {
	const idempotencyKey = crypto.randomUUID();
	const { id } = await create({ idempotencyKey });
	const otherAmount = stripe.paymentIntents.create({ amount: 50, currency: "usd" }, { idempotencyKey });
	const otherEndpoint = stripe.paymentIntents.cancel(id, {}, { idempotencyKey });
	for (const error of await Promise.all([otherAmount, otherEndpoint].map(refusal))) {
		expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
		expect(error.message).toContain(`Try using a key other than '${idempotencyKey}'`);
	}
	expect((await stripe.paymentIntents.retrieve(id)).status).toBe("requires_payment_method");
});

test("parameters that were refused leave their key unused", async () => {
	const idempotencyKey = crypto.randomUUID();
	await refusal(stripe.paymentIntents.create({ amount: 1, currency: "usd" }, { idempotencyKey }));
	expect(replayed(await create({ idempotencyKey }))).toBe(false);
});

test("a key whose first request is still on its way is in use", async () => {
	const idempotencyKey = crypto.randomUUID();
	const body = "amount=500&currency=usd";
	const { hostname, port } = shop.url;
	const slow = httpRequest({
		hostname,
		port,
		method: "POST",
		path: "/stripe-emulator/v1/payment_intents",
		headers: {
			Authorization: `Bearer ${SECRET_KEY}`,
			"Idempotency-Key": idempotencyKey,
			"Content-Type": "application/x-www-form-urlencoded",
			"Content-Length": body.length,
		},
	});
	const answered = new Promise<number | undefined>((resolve, reject) => {
		slow.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject);
	});
	slow.write(body.slice(0, 5));
	// Refused parameters leave the key unused, so that asking too early does no harm.
	const ask = () => refusal(stripe.paymentIntents.create({ amount: 1, currency: "usd" }, { idempotencyKey }));
	await expect.poll(ask, { timeout: 5000 }).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
	slow.end(body.slice(5));
	expect(await answered).toBe(200);
});

test("a GET takes no notice of a key", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	await stripe.paymentIntents.retrieve(id, {}, { idempotencyKey });
	await stripe.paymentIntents.cancel(id);
	expect((await stripe.paymentIntents.retrieve(id, {}, { idempotencyKey })).status).toBe("canceled");
});

test("a browser's requests are not kept under a key: they hold card numbers", async () => {
	const intent = await create();
	const form = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret: intent.client_secret ?? "" });
	form.set("payment_method", "pm_card_visa_chargeDeclined");
	const confirm = () =>
		shop.fetch(`/stripe-emulator/v1/payment_intents/${intent.id}/confirm`, {
			method: "POST",
			headers: { "Idempotency-Key": intent.id },
			body: form,
		});
	const [first, second] = [await confirm(), await confirm()];
	expect([first.status, second.status]).toEqual([402, 402]);
	expect(second.headers.has("Idempotent-Replayed")).toBe(false);
});

function replayed({ lastResponse }: Stripe.Response<Stripe.PaymentIntent>): boolean {
	const { headers } = lastResponse;
	return (headers instanceof Headers ? headers.get("idempotent-replayed") : headers["idempotent-replayed"]) === "true";
}
