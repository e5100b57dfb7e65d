import { expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import { create, header, host, isReplayed, refusal, stripe, stripeWith } from "../support/emulator.ts";

test("a replayed response names the original request and repeats no event", async () => {
	const idempotencyKey = crypto.randomUUID();
	const first = await create({ idempotencyKey });
	const again = await create({ idempotencyKey });
	expect(again).toEqual(first);
	expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
	for (const { lastResponse } of [first, again]) expect(lastResponse.requestId).toMatch(/^req_\w{14}$/);
	expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId);
	expect(header(again, "original-request")).toBe(first.lastResponse.requestId);
	for (const intent of [first, again]) expect(header(intent, "idempotency-key")).toBe(idempotencyKey);
	const events = await stripe.events.list({ limit: 100 });
	expect(events.data.filter(({ request }) => request?.idempotency_key === idempotencyKey)).toHaveLength(1);
});

test("a request that is refused before it is processed leaves the key unused", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	const strange = () =>
		refusal(stripeWith("sk_test_notmine").paymentIntents.create({ amount: 1499, currency: "usd" }, { idempotencyKey }));
	expect(await strange()).toMatchObject({ statusCode: 401 });
	const card = { number: "4242424242424242", exp_month: "12", exp_year: "2040", cvc: "123" };
	const raw = { payment_method_data: { type: "card", card } };
	const message = expect.stringContaining("generally unsafe");
	for (const [path, params, refused] of [
		["customers", {}, {}],
		["payment_intents", { amount: 1 }, {}],
		["payment_intents", { ...raw, amount: 500, currency: "usd" }, { message }],
		[`payment_intents/${id}`, raw, { message }],
		[`payment_intents/${id}/confirm`, raw, { message }],
	] as const) {
		const error = await refusal(stripe.rawRequest("POST", `/v1/${path}`, params, { idempotencyKey }));
		expect(error).toMatchObject({ statusCode: 400, ...refused });
	}
	expect(isReplayed(await create({ idempotencyKey }))).toBe(false);
	// a caller with an invalid API key must not receive the stored response
	expect(await strange()).toMatchObject({ statusCode: 401 });
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

test("an empty key and the key of a GET request are ignored", async () => {
	for (const amount of ["500", "600"]) {
		const headers = { Authorization: `Bearer ${SECRET_KEY}`, "Idempotency-Key": "" };
		const body = new URLSearchParams({ amount, currency: "usd" });
		const { status } = await host.fetch("/stripe-emulator/v1/payment_intents", { method: "POST", headers, body });
		expect(status).toBe(200);
	}
	const { id } = await create();
	const retrieve = () => stripe.paymentIntents.retrieve(id, {}, { idempotencyKey: id });
	expect((await retrieve()).status).toBe("requires_payment_method");
	await stripe.paymentIntents.cancel(id);
	expect((await retrieve()).status).toBe("canceled");
});
