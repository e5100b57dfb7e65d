import { request as httpRequest } from "node:http";
import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import { control, create, host, refusal, state, stripe, stripeWith } from "../support/emulator.ts";

afterEach(() => control({ control: "calm" }));

test("the same key and parameters replay the first response", async () => {
	const idempotencyKey = crypto.randomUUID();
	const first = await create({ idempotencyKey });
	const again = await create({ idempotencyKey });
	expect(again).toEqual(first);
	expect(replayed(first)).toBe(false);
	expect(replayed(again)).toBe(true);
	expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId);
	expect(header(again.lastResponse, "original-request")).toBe(first.lastResponse.requestId);
	for (const { lastResponse } of [first, again]) expect(header(lastResponse, "idempotency-key")).toBe(idempotencyKey);
	const [event, ...others] = await eventsUnder(idempotencyKey);
	expect([event, ...others]).toMatchObject([{ type: "payment_intent.created", data: { object: { id: first.id } } }]);
});

/** Returns the events caused by requests with this key. */
async function eventsUnder(idempotencyKey: string): Promise<Stripe.Event[]> {
	const { data } = await stripe.events.list({ limit: 100 });
	return data.filter(({ request }) => request?.idempotency_key === idempotencyKey);
}

test("a decline is replayed even after the intent has been paid", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	const decline = () =>
		stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa_chargeDeclined" }, { idempotencyKey });
	const first = await refusal(decline());
	await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	const again = await refusal(decline());
	expect(again).toMatchObject({
		statusCode: 402,
		code: "card_declined",
		decline_code: "generic_decline",
		message: first.message,
		charge: first.charge,
		payment_intent: first.payment_intent,
	});
	expect(first.headers?.["idempotent-replayed"]).toBeUndefined();
	expect(again.headers).toMatchObject({
		"idempotent-replayed": "true",
		"idempotency-key": idempotencyKey,
		"original-request": first.requestId,
	});
	expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(2);
});

test.each([
	["pm_card_visa", "succeeded"],
	["pm_card_visa_chargeDeclined", "requires_payment_method"],
])("a 500 injected after processing is replayed: %s", async (payment_method, status) => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	const pay = () => stripe.paymentIntents.confirm(id, { payment_method }, { idempotencyKey });
	await control({ control: "fail", endpoint: "payment_intents.confirm", fault: "500", when: "after" });
	const first = await refusal(pay());
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status });
	const again = await refusal(pay());
	expect(again).toBeInstanceOf(Stripe.errors.StripeAPIError);
	expect(again).toMatchObject({ statusCode: 500, rawType: "api_error", message: first.message });
	expect(again.headers).toMatchObject({ "idempotent-replayed": "true", "original-request": first.requestId });
	expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);
});

test("an unexpected_state error is replayed even if the state has changed", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	const confirm = () => stripe.paymentIntents.confirm(id, {}, { idempotencyKey });
	const first = await refusal(confirm());
	await stripe.paymentIntents.update(id, { payment_method: "pm_card_visa" });
	expect(await refusal(confirm())).toMatchObject({ code: "payment_intent_unexpected_state", message: first.message });
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "requires_confirmation" });
});

test("a key expires after 24 hours", async () => {
	const idempotencyKey = crypto.randomUUID();
	const first = await create({ idempotencyKey });
	await control({ control: "clock", advance: 86_400 - 60 });
	expect(await create({ idempotencyKey })).toEqual(first);
	await control({ control: "clock", advance: 61 });
	const second = await create({ idempotencyKey });
	expect(second.id).not.toBe(first.id);
	expect(replayed(second)).toBe(false);
	expect(await create({ idempotencyKey })).toEqual(second);
	const { data } = await stripe.paymentIntents.list({ created: { gte: first.created }, limit: 100 });
	expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining([first.id, second.id]));
});

test.each(["429", "lock_timeout", "409", "500", "timeout"] as const)(
	"a %s injected before processing leaves the key unused",
	async (fault) => {
		const idempotencyKey = crypto.randomUUID();
		await control({ control: "fail", endpoint: "payment_intents.create", fault, when: "before" });
		const options = { idempotencyKey, timeout: fault === "timeout" ? 300 : 10_000 };
		const error = await refusal(create(options));
		if (fault === "timeout") expect(error).toBeInstanceOf(Stripe.errors.StripeConnectionError);
		else expect(error.headers?.["idempotent-replayed"]).toBeUndefined();
		expect(await eventsUnder(idempotencyKey)).toEqual([]);
		expect(replayed(await create({ idempotencyKey }))).toBe(false);
	},
);

test.each(["429", "lock_timeout", "409", "timeout"] as const)(
	"a retry returns the original result after a %s replaced the first response",
	async (fault) => {
		const idempotencyKey = crypto.randomUUID();
		await control({ control: "fail", endpoint: "payment_intents.create", fault, when: "after" });
		await refusal(create({ idempotencyKey, timeout: fault === "timeout" ? 1000 : 10_000 }));
		const again = await create({ idempotencyKey });
		expect(replayed(again)).toBe(true);
		expect(await eventsUnder(idempotencyKey)).toMatchObject([{ data: { object: { id: again.id } } }]);
	},
);

test("an invalid API key and an unknown URL leave the idempotency key unused", async () => {
	const idempotencyKey = crypto.randomUUID();
	const stranger = stripeWith("sk_test_notmine");
	const params = { amount: 1499, currency: "usd", allowed_payment_method_types: ["card"] };
	expect(await refusal(stranger.paymentIntents.create(params, { idempotencyKey }))).toMatchObject({ statusCode: 401 });
	expect(await refusal(stripe.customers.create({}, { idempotencyKey }))).toMatchObject({ statusCode: 404 });
	expect(await refusal(stripe.customers.create({}, { idempotencyKey }))).toMatchObject({ statusCode: 404 });
	const first = await create({ idempotencyKey });
	expect(replayed(first)).toBe(false);
	// a caller with an invalid API key must not receive the stored response
	expect(await refusal(stranger.paymentIntents.create(params, { idempotencyKey }))).toMatchObject({ statusCode: 401 });
});

test("a 404 for an unknown intent is replayed", async () => {
	const idempotencyKey = crypto.randomUUID();
	const cancel = () => refusal(stripe.paymentIntents.cancel("pi_unknown", {}, { idempotencyKey }));
	expect(await cancel()).toMatchObject({ statusCode: 404 });
	expect((await cancel()).headers?.["idempotent-replayed"]).toBe("true");
});

test("a key of 256 characters returns 400, and a key of 255 is accepted", async () => {
	expect(await refusal(create({ idempotencyKey: "k".repeat(256) }))).toMatchObject({
		statusCode: 400,
		message: "Idempotency keys can have up to 255 characters.",
	});
	const idempotencyKey = "k".repeat(255);
	expect(await create({ idempotencyKey })).toEqual(await create({ idempotencyKey }));
});

test("an empty key is ignored", async () => {
	const send = async (amount: string) => {
		const headers = { Authorization: `Bearer ${SECRET_KEY}`, "Idempotency-Key": "" };
		const body = new URLSearchParams({ amount, currency: "usd" });
		return (await host.fetch("/stripe-emulator/v1/payment_intents", { method: "POST", headers, body })).status;
	};
	expect([await send("500"), await send("600")]).toEqual([200, 200]);
});

test("reusing a key for another request returns an idempotency error", async () => {
	const idempotencyKey = crypto.randomUUID();
	const { id } = await create({ idempotencyKey });
	const otherAmount = stripe.paymentIntents.create({ amount: 50, currency: "usd" }, { idempotencyKey });
	const otherEndpoint = stripe.paymentIntents.cancel(id, {}, { idempotencyKey });
	// the key is checked before the parameters are validated
	const invalid = stripe.paymentIntents.create({ amount: 1, currency: "usd" }, { idempotencyKey });
	for (const error of await Promise.all([otherAmount, otherEndpoint, invalid].map(refusal))) {
		expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
		expect(error.message).toContain(`Try using a key other than '${idempotencyKey}'`);
	}
	expect((await stripe.paymentIntents.retrieve(id)).status).toBe("requires_payment_method");
});

test("invalid parameters leave the key unused", async () => {
	const idempotencyKey = crypto.randomUUID();
	await refusal(stripe.paymentIntents.create({ amount: 1, currency: "usd" }, { idempotencyKey }));
	expect(replayed(await create({ idempotencyKey }))).toBe(false);
});

test("a request returns 409 while the first request with its key is in progress", async () => {
	const idempotencyKey = crypto.randomUUID();
	const body = "amount=500&currency=usd";
	const { hostname, port } = host.url;
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
	// invalid parameters leave the key unused, so it is harmless if this request arrives first
	const ask = () => refusal(stripe.paymentIntents.create({ amount: 1, currency: "usd" }, { idempotencyKey }));
	await expect.poll(ask, { timeout: 5000 }).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
	slow.end(body.slice(5));
	expect(await answered).toBe(200);
	// the conflict is not stored: the key replays the first request's response
	const again = await stripe.paymentIntents.create({ amount: 500, currency: "usd" }, { idempotencyKey });
	expect(replayed(again)).toBe(true);
});

test("concurrent requests with one key execute once", async () => {
	const idempotencyKey = crypto.randomUUID();
	const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => create({ idempotencyKey })));
	const ids = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? attempt.value.id : []));
	expect(new Set(ids).size).toBe(1);
	for (const attempt of attempts) {
		if (attempt.status === "rejected") expect(attempt.reason).toMatchObject({ code: "idempotency_key_in_use" });
	}
	expect(await eventsUnder(idempotencyKey)).toHaveLength(1);
});

test("an injected fault replaces a replayed response", async () => {
	const idempotencyKey = crypto.randomUUID();
	const first = await create({ idempotencyKey });
	await control({ control: "fail", fault: "500", when: "after" });
	expect(await refusal(create({ idempotencyKey }))).toMatchObject({ statusCode: 500 });
	expect(await create({ idempotencyKey })).toEqual(first);
	expect((await state()).settings.faults).toEqual([]);
});

test("the idempotency key is ignored on GET requests", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	await stripe.paymentIntents.retrieve(id, {}, { idempotencyKey });
	await stripe.paymentIntents.cancel(id);
	expect((await stripe.paymentIntents.retrieve(id, {}, { idempotencyKey })).status).toBe("canceled");
});

test("a server's request with a card number leaves the key unused, so the number is not stored", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	const card = { number: "4242424242424242", exp_month: "12", exp_year: "2040", cvc: "123" };
	const raw = { payment_method_data: { type: "card", card } };
	for (const path of [`payment_intents/${id}`, `payment_intents/${id}/confirm`, "payment_intents", "tokens"]) {
		await refusal(stripe.rawRequest("POST", `/v1/${path}`, path === "tokens" ? { card } : raw, { idempotencyKey }));
	}
	expect(replayed(await create({ idempotencyKey }))).toBe(false);
});

test("a browser's requests are never stored under a key, because they contain card data", async () => {
	const intent = await create();
	const body = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret: intent.client_secret ?? "" });
	body.set("payment_method", "pm_card_visa_chargeDeclined");
	const confirm = () =>
		host.fetch(`/stripe-emulator/v1/payment_intents/${intent.id}/confirm`, {
			method: "POST",
			headers: { "Idempotency-Key": intent.id },
			body,
		});
	const [first, second] = [await confirm(), await confirm()];
	expect([first.status, second.status]).toEqual([402, 402]);
	expect(second.headers.has("Idempotent-Replayed")).toBe(false);
});

function replayed({ lastResponse }: Stripe.Response<Stripe.PaymentIntent>): boolean {
	return header(lastResponse, "idempotent-replayed") === "true";
}

function header({ headers }: { headers: unknown }, name: string): string | null {
	if (headers instanceof Headers) return headers.get(name);
	throw new Error("The SDK no longer gives the fetch client's headers; read them from where it has them now.");
}
