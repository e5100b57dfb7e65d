import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticate, challengeOf, confirmInBrowser, control, create, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "hold" }));
afterAll(() => control({ control: "calm" }));

/** Returns the events since an intent's creation, oldest first. */
async function eventsSince(intent: Stripe.PaymentIntent): Promise<Stripe.Event[]> {
	const { data } = await stripe.events.list({ limit: 100 });
	const first = data.findIndex(({ type, data: { object } }) => {
		return type === "payment_intent.created" && "id" in object && object.id === intent.id;
	});
	return data.slice(0, first + 1).toReversed();
}

const typesSince = async (intent: Stripe.PaymentIntent) => (await eventsSince(intent)).map(({ type }) => type);

test("an event contains a snapshot of the object and the request that caused it", async () => {
	const idempotencyKey = crypto.randomUUID();
	const intent = await create({ idempotencyKey });
	await stripe.paymentIntents.cancel(intent.id);
	const [event] = await eventsSince(intent);
	expect(event).toEqual({
		id: expect.stringMatching(/^evt_\w{24}$/),
		object: "event",
		api_version: "2026-10-28.endive",
		created: intent.created,
		data: { object: { ...intent, lastResponse: undefined } },
		livemode: false,
		pending_webhooks: 1,
		request: { id: intent.lastResponse.requestId, idempotency_key: idempotencyKey },
		type: "payment_intent.created",
	});
	expect(await stripe.events.retrieve(event?.id ?? "")).toEqual(event);
});

test("a payment emits payment_intent.created, charge.succeeded and payment_intent.succeeded", async () => {
	const intent = await create();
	await stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa" });
	expect(await typesSince(intent)).toEqual(["payment_intent.created", "charge.succeeded", "payment_intent.succeeded"]);
	const events = await eventsSince(intent);
	expect(events.map(({ data }) => data.object)).toMatchObject([
		{ object: "payment_intent", status: "requires_payment_method" },
		{ object: "charge", payment_intent: intent.id, status: "succeeded", paid: true },
		{ object: "payment_intent", id: intent.id, status: "succeeded", amount_received: 1499 },
	]);
	const { data } = await stripe.charges.list({ payment_intent: intent.id });
	expect(data[0]).toEqual(events[1]?.data.object);
});

test("a declined payment emits charge.failed and payment_intent.payment_failed", async () => {
	const intent = await create();
	await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa_chargeDeclined" }));
	expect(await typesSince(intent)).toEqual([
		"payment_intent.created",
		"charge.failed",
		"payment_intent.payment_failed",
	]);
	expect((await eventsSince(intent)).map(({ data }) => data.object)).toMatchObject([
		{},
		{ status: "failed", paid: false, captured: false, amount_captured: 0, failure_code: "card_declined" },
		{ status: "requires_payment_method", last_payment_error: { decline_code: "generic_decline" } },
	]);
});

test.each([
	["complete", ["charge.succeeded", "payment_intent.succeeded"]],
	["fail", ["payment_intent.payment_failed"]],
	["abandon", ["payment_intent.payment_failed"]],
] as const)("authentication emits requires_action and the events of its outcome: %s", async (outcome, last) => {
	const intent = await create();
	const { body } = await confirmInBrowser(intent, { number: "4000002760003184" });
	await authenticate(intent, outcome, challengeOf(body));
	expect(await typesSince(intent)).toEqual(["payment_intent.created", "payment_intent.requires_action", ...last]);
	const [, , failed] = await eventsSince(intent);
	expect(failed?.request).toEqual({ id: expect.stringMatching(/^req_/), idempotency_key: null });
});

test("canceling emits payment_intent.canceled", async () => {
	const intent = await create();
	await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: "duplicate" });
	const [, canceled] = await eventsSince(intent);
	expect(canceled).toMatchObject({
		type: "payment_intent.canceled",
		data: { object: { status: "canceled", cancellation_reason: "duplicate" } },
	});
});

test("an update emits no event", async () => {
	const intent = await create();
	await stripe.paymentIntents.update(intent.id, { amount: 2000 });
	expect(await typesSince(intent)).toEqual(["payment_intent.created"]);
});

test("a slow charge emits processing and then succeeds automatically", async () => {
	await control({ control: "processing", seconds: 3600 });
	const intent = await create();
	const processing = await stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa" });
	expect(processing).toMatchObject({ status: "processing", amount_received: 0 });
	const charge = await stripe.charges.retrieve(String(processing.latest_charge));
	expect(charge).toMatchObject({ status: "pending", paid: false, captured: false, amount_captured: 0 });
	await control({ control: "processing", seconds: 0 });
	await control({ control: "clock", advance: 3601 });
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
		status: "succeeded",
		amount_received: 1499,
		latest_charge: charge.id,
	});
	expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ status: "succeeded", amount_captured: 1499 });
	const events = await eventsSince(intent);
	expect(events.map(({ type, request }) => [type, request === null])).toEqual([
		["payment_intent.created", false],
		["payment_intent.processing", false],
		["charge.succeeded", true],
		["payment_intent.succeeded", true],
	]);
});

test("a refund emits events for the refund and its charge", async () => {
	const intent = await create();
	await stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa" });
	const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 499 });
	const [created, refunded] = (await eventsSince(intent)).slice(3);
	expect(created).toMatchObject({ type: "refund.created", data: { object: { id: refund.id, amount: 499 } } });
	expect(refunded).toMatchObject({
		type: "charge.refunded",
		data: { object: { amount_refunded: 499, refunded: false, payment_intent: intent.id } },
	});
});

test("events can be filtered by type and delivery success", async () => {
	const intent = await create();
	await stripe.paymentIntents.cancel(intent.id);
	const ids = async (params: Stripe.EventListParams) =>
		(await stripe.events.list({ ...params, limit: 100 })).data.map(({ id }) => id);
	const [created = "", canceled = ""] = (await eventsSince(intent)).map(({ id }) => id);
	expect((await ids({ type: "payment_intent.canceled" }))[0]).toBe(canceled);
	expect(await ids({ type: "payment_intent.canceled" })).not.toContain(created);
	const both = ["payment_intent.canceled", "payment_intent.created"];
	expect((await ids({ types: both })).slice(0, 2)).toEqual([canceled, created]);
	expect(await ids({ ending_before: created })).toEqual([canceled]);
	expect(await control({ control: "send", event: created })).toEqual(["200"]);
	expect(await ids({ delivery_success: true })).toContain(created);
	expect(await ids({ delivery_success: true })).not.toContain(canceled);
	expect((await ids({ delivery_success: false, types: both }))[0]).toBe(canceled);
	expect(await ids({ delivery_success: false })).not.toContain(created);
	expect(await stripe.events.retrieve(created)).toMatchObject({ pending_webhooks: 0 });
	expect(await stripe.events.retrieve(canceled)).toMatchObject({ pending_webhooks: 1 });
});

test("events are deleted after 30 days", async () => {
	const intent = await create();
	const [event] = await eventsSince(intent);
	const id = event?.id ?? "";
	await control({ control: "clock", advance: 30 * 86_400 - 60 });
	expect(await stripe.events.retrieve(id)).toMatchObject({ id });
	await control({ control: "clock", advance: 61 });
	expect(await refusal(stripe.events.retrieve(id))).toMatchObject({ statusCode: 404 });
	expect((await stripe.events.list()).data).toEqual([]);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ id: intent.id });
});
