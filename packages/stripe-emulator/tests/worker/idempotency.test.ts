import Stripe from "stripe";
import { expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import { create, header, host, isReplayed, refusal, stripe, stripeWith } from "../support/emulator.ts";

const confirm = (id: string, payment_method: string | undefined, idempotencyKey: string) =>
	stripe.paymentIntents.confirm(id, payment_method === undefined ? {} : { payment_method }, { idempotencyKey });

/** Creates an intent from a form with this key. */
function send(key: string, body: BodyInit) {
	const headers = { Authorization: `Bearer ${SECRET_KEY}`, "Idempotency-Key": key };
	const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
	return host.fetch("/stripe-emulator/v1/payment_intents", init);
}

/** Returns the events caused by requests with this key. */
async function eventsUnder(idempotencyKey: string): Promise<Stripe.Event[]> {
	const { data } = await stripe.events.list({ limit: 100 });
	return data.filter(({ request }) => request?.idempotency_key === idempotencyKey);
}

test("the same key and parameters replay the first response", async () => {
	const idempotencyKey = crypto.randomUUID();
	const first = await create({ idempotencyKey });
	const again = await create({ idempotencyKey });
	expect(again).toEqual(first);
	expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
	expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId);
	expect(header(again, "original-request")).toBe(first.lastResponse.requestId);
	for (const intent of [first, again]) expect(header(intent, "idempotency-key")).toBe(idempotencyKey);
	const created = { type: "payment_intent.created", data: { object: { id: first.id } } };
	expect(await eventsUnder(idempotencyKey)).toMatchObject([created]);
});

test("the order and the encoding of parameters do not matter, but the order of a list does", async () => {
	const key = crypto.randomUUID();
	const form = "amount=500&currency=usd&metadata[a]=b c";
	const [one, other] = ["expand[]=latest_charge", "expand[]=payment_method"];
	const responses = [
		await send(key, `${form}&${one}&${other}`),
		await send(key, `${one}&${other}&currency=usd&metadata%5Ba%5D=b+c&amount=500`),
		await send(key, `${form}&${other}&${one}`),
	];
	expect(responses.map(({ status }) => status)).toEqual([200, 200, 400]);
	expect(responses.map(({ headers }) => headers.has("Idempotent-Replayed"))).toEqual([false, true, false]);
});

test.each<[string, number, (id: string, idempotencyKey: string) => Promise<unknown>]>([
	["a decline", 402, (id, key) => confirm(id, "pm_card_visa_chargeDeclined", key)],
	["an unexpected_state error", 400, (id, key) => confirm(id, undefined, key)],
	["a 404", 404, (id, key) => stripe.paymentIntents.cancel(`${id}x`, {}, { idempotencyKey: key })],
])("%s is replayed even after the intent has been paid", async (_, statusCode, call) => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	const first = await refusal(call(id, idempotencyKey));
	await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	const again = await refusal(call(id, idempotencyKey));
	const { code, decline_code, message, charge, payment_intent } = first;
	expect(again).toMatchObject({ statusCode, code, decline_code, message, charge, payment_intent });
	expect(first.headers?.["idempotent-replayed"]).toBeUndefined();
	const headers = { "idempotent-replayed": "true", "idempotency-key": idempotencyKey };
	expect(again.headers).toMatchObject({ ...headers, "original-request": first.requestId });
	expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(statusCode === 402 ? 2 : 1);
});

test("a request that is refused before it is processed leaves the key unused", async () => {
	const idempotencyKey = crypto.randomUUID();
	const params = { amount: 1499, currency: "usd", allowed_payment_method_types: ["card"] };
	const strange = () => refusal(stripeWith("sk_test_notmine").paymentIntents.create(params, { idempotencyKey }));
	expect(await strange()).toMatchObject({ statusCode: 401 });
	for (const path of ["/v1/customers", "/v1/payment_intents"]) {
		const call = stripe.rawRequest("POST", path, { amount: 1 }, { idempotencyKey });
		expect(await refusal(call)).toMatchObject({ statusCode: 400 });
	}
	expect(isReplayed(await create({ idempotencyKey }))).toBe(false);
	// a caller with an invalid API key must not receive the stored response
	expect(await strange()).toMatchObject({ statusCode: 401 });
});

test("a server's request with a card number returns 400 and leaves the key unused", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	const card = { number: "4242424242424242", exp_month: "12", exp_year: "2040", cvc: "123" };
	const raw = { payment_method_data: { type: "card", card } };
	const calls = { "": { ...raw, amount: 500, currency: "usd" }, [`/${id}`]: raw, [`/${id}/confirm`]: raw };
	for (const [path, params] of Object.entries(calls)) {
		const error = await refusal(stripe.rawRequest("POST", `/v1/payment_intents${path}`, params, { idempotencyKey }));
		const param = "payment_method_data[card][number]";
		expect(error).toMatchObject({ statusCode: 400, param, message: expect.stringContaining("generally unsafe") });
	}
	expect(isReplayed(await create({ idempotencyKey }))).toBe(false);
});

test("a browser's requests are never stored under a key, because they contain card data", async () => {
	const intent = await create();
	const body = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret: intent.client_secret ?? "" });
	body.set("payment_method", "pm_card_visa_chargeDeclined");
	const headers = { "Idempotency-Key": intent.id };
	const path = `/stripe-emulator/v1/payment_intents/${intent.id}/confirm`;
	for (let count = 0; count < 2; count++) {
		const response = await host.fetch(path, { method: "POST", headers, body });
		expect([response.status, response.headers.get("Idempotent-Replayed")]).toEqual([402, null]);
	}
});

test("a key of 256 characters returns 400, and a key of 255 is accepted", async () => {
	const message = "Idempotency keys can have up to 255 characters.";
	expect(await refusal(create({ idempotencyKey: "k".repeat(256) }))).toMatchObject({ statusCode: 400, message });
	const idempotencyKey = "k".repeat(255);
	expect(await create({ idempotencyKey })).toEqual(await create({ idempotencyKey }));
});

test("an empty key is ignored, and so is the key of a GET request", async () => {
	for (const amount of [500, 600]) expect((await send("", `amount=${amount}&currency=usd`)).status).toBe(200);
	const { id } = await create();
	const retrieve = () => stripe.paymentIntents.retrieve(id, {}, { idempotencyKey: id });
	expect((await retrieve()).status).toBe("requires_payment_method");
	await stripe.paymentIntents.cancel(id);
	expect((await retrieve()).status).toBe("canceled");
});

test("reusing a key for another request returns an idempotency error", async () => {
	const idempotencyKey = crypto.randomUUID();
	const params = { amount: 1499, currency: "usd" };
	const { id } = await stripe.paymentIntents.create(params, { idempotencyKey });
	const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${idempotencyKey}' if you meant to execute a different request.`;
	const calls = [
		stripe.paymentIntents.create({ amount: 50, currency: "usd" }, { idempotencyKey }),
		stripe.paymentIntents.update(id, params, { idempotencyKey }),
		// the key is checked before the parameters are validated
		stripe.paymentIntents.create({ amount: 1, currency: "usd" }, { idempotencyKey }),
	];
	for (const error of await Promise.all(calls.map(refusal))) {
		expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
		expect(error).toMatchObject({ statusCode: 400, rawType: "idempotency_error", message });
	}
	expect((await stripe.paymentIntents.retrieve(id)).status).toBe("requires_payment_method");
});

test("a request returns 409 while the first request with its key is in progress", async () => {
	const idempotencyKey = crypto.randomUUID();
	const { readable, writable } = new TransformStream<string, string>();
	const slow = send(idempotencyKey, readable.pipeThrough(new TextEncoderStream()));
	const writer = writable.getWriter();
	await writer.write("amount=500&");
	// invalid parameters leave the key unused, so it is harmless if this request arrives first
	const conflict = () => refusal(stripe.paymentIntents.create({ amount: 1, currency: "usd" }, { idempotencyKey }));
	await expect.poll(conflict, { timeout: 5000 }).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
	await writer.write("currency=usd");
	await writer.close();
	expect((await slow).status).toBe(200);
	// the conflict is not stored: the key replays the first request's response
	const again = await stripe.paymentIntents.create({ amount: 500, currency: "usd" }, { idempotencyKey });
	expect(isReplayed(again)).toBe(true);
});
