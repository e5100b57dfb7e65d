import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_VERSION } from "../../objects/event.ts";
import { authenticate, confirmInBrowser, control, create, eventsOf, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "hold" }));
afterAll(() => control({ control: "calm" }));

test("an event contains a snapshot of the object and the request that caused it", async () => {
	const idempotencyKey = crypto.randomUUID();
	const intent = await create({ idempotencyKey });
	await stripe.paymentIntents.cancel(intent.id);
	const [event] = await eventsOf(intent.id);
	expect(event).toEqual({
		id: expect.stringMatching(/^evt_\w{24}$/),
		object: "event",
		api_version: API_VERSION,
		created: intent.created,
		data: { object: { ...intent, lastResponse: undefined } },
		livemode: false,
		pending_webhooks: 1,
		request: { id: intent.lastResponse.requestId, idempotency_key: idempotencyKey },
		type: "payment_intent.created",
	});
	expect(await stripe.events.retrieve(event?.id ?? "")).toEqual(event);
});

const pay = ({ id }: Stripe.PaymentIntent, payment_method = "pm_card_visa") =>
	stripe.paymentIntents.confirm(id, { payment_method });

const open = { object: "payment_intent", status: "requires_payment_method" };
const charged = { object: "charge", status: "succeeded", paid: true };
const paid = { object: "payment_intent", status: "succeeded", amount_received: 1499 };

test.each<[string, (intent: Stripe.PaymentIntent) => Promise<unknown>, Record<string, object>]>([
	["an update", ({ id }) => stripe.paymentIntents.update(id, { amount: 2000 }), {}],
	[
		"a failed authentication",
		async (intent) => {
			await confirmInBrowser(intent, { number: "4000002760003184" });
			await authenticate(intent, "fail");
		},
		{
			"payment_intent.requires_action": { object: "payment_intent", status: "requires_action" },
			"payment_intent.payment_failed": open,
		},
	],
	[
		"a cancellation",
		({ id }) => stripe.paymentIntents.cancel(id, { cancellation_reason: "duplicate" }),
		{ "payment_intent.canceled": { status: "canceled", cancellation_reason: "duplicate" } },
	],
	[
		"a payment and its refund",
		async (intent) => {
			await pay(intent);
			await stripe.refunds.create({ payment_intent: intent.id, amount: 499 });
		},
		{
			"charge.succeeded": charged,
			"payment_intent.succeeded": paid,
			"refund.created": { object: "refund", amount: 499 },
			"charge.refunded": { object: "charge", amount_refunded: 499, refunded: false },
		},
	],
])("%s emits its events, each with the object's state at that time", async (_, act, expected) => {
	const intent = await create();
	await act(intent);
	const [created, ...events] = await eventsOf(intent.id);
	expect(created).toMatchObject({ type: "payment_intent.created", data: { object: open } });
	expect(events.map(({ type }) => type)).toEqual(Object.keys(expected));
	expect(events.map(({ data }) => data.object)).toMatchObject(Object.values(expected));
});

test("an approved charge is processing for the set time, and then succeeds automatically", async () => {
	await control({ control: "processing", seconds: 3600 });
	const intent = await create();
	expect(await refusal(pay(intent, "pm_card_visa_chargeDeclined"))).toMatchObject({ statusCode: 402 });
	const { latest_charge, ...waiting } = await pay(intent);
	expect(waiting).toMatchObject({ status: "processing", amount_received: 0 });
	const retrieve = () => stripe.charges.retrieve(String(latest_charge));
	expect(await retrieve()).toMatchObject({ status: "pending", paid: false, captured: false, amount_captured: 0 });
	expect(await refusal(pay(intent))).toMatchObject({ code: "payment_intent_unexpected_state" });
	const refund = stripe.refunds.create({ payment_intent: intent.id });
	expect(await refusal(refund)).toMatchObject({ code: "charge_not_refundable" });
	await control({ control: "processing", seconds: 0 });
	await control({ control: "clock", advance: 3500 });
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: "processing" });
	await control({ control: "clock", advance: 101 });
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ ...paid, latest_charge });
	expect(await retrieve()).toMatchObject({ ...charged, captured: true, amount_captured: 1499 });
	const events = (await eventsOf(intent.id)).slice(-3);
	expect(events.map(({ type, request }) => [type, request === null])).toEqual([
		["payment_intent.processing", false],
		["charge.succeeded", true],
		["payment_intent.succeeded", true],
	]);
});

test("events can be filtered by type and delivery success", async () => {
	const intent = await create();
	await stripe.paymentIntents.cancel(intent.id);
	const [created = "", canceled = ""] = (await eventsOf(intent.id)).map(({ id }) => id);
	expect(await control({ control: "send", event: created })).toEqual(["200"]);
	const ids = async (params: Stripe.EventListParams) =>
		(await stripe.events.list({ ...params, limit: 2 })).data.map(({ id }) => id);
	const types = ["payment_intent.canceled", "payment_intent.created"];
	expect(await ids({ types })).toEqual([canceled, created]);
	expect(await ids({ type: "payment_intent.canceled" })).not.toContain(created);
	expect(await ids({ delivery_success: true })).toEqual([created]);
	const undelivered = await ids({ delivery_success: false, types });
	expect(undelivered[0]).toBe(canceled);
	expect(undelivered).not.toContain(created);
	expect(await stripe.events.retrieve(created)).toMatchObject({ pending_webhooks: 0 });
	expect(await stripe.events.retrieve(canceled)).toMatchObject({ pending_webhooks: 1 });
});
