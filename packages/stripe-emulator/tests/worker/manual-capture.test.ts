import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmInBrowser, control, create, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "hold" }));
afterAll(() => control({ control: "calm" }));

const week = 7 * 86_400;
const params = {
	...{ amount: 2000, currency: "usd", capture_method: "manual", allowed_payment_method_types: ["card"] },
	expand: ["latest_charge"],
} satisfies Stripe.PaymentIntentCreateParams;

const authorize = () => stripe.paymentIntents.create({ ...params, confirm: true, payment_method: "pm_card_visa" });

/** Returns the types of the newest events, oldest first. */
async function newestTypes(count: number) {
	return (await stripe.events.list({ limit: count })).data.map(({ type }) => type).toReversed();
}

test("a payment with manual capture is authorized, and its charge is not captured", async () => {
	const intent = await authorize();
	expect(intent).toMatchObject({
		...{ status: "requires_capture", amount_capturable: 2000, amount_received: 0 },
		latest_charge: {
			...{ status: "succeeded", paid: true, captured: false, amount: 2000, amount_captured: 0 },
			balance_transaction: null,
			payment_method_details: { card: { amount_authorized: 2000, capture_before: intent.created + week } },
		},
	});
	expect(await newestTypes(3)).toEqual([
		"payment_intent.created",
		"charge.succeeded",
		"payment_intent.amount_capturable_updated",
	]);
	expect(await refusal(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
		code: "charge_not_refundable",
	});
});

test.each([
	["all", undefined, 2000],
	["a part", 1500, 1500],
])("capturing %s of an authorized amount completes the payment", async (_, amount_to_capture, captured) => {
	const { id } = await authorize();
	const paid = await stripe.paymentIntents.capture(id, {
		...(amount_to_capture === undefined ? {} : { amount_to_capture }),
		metadata: { parcel: "7" },
		expand: ["latest_charge.balance_transaction"],
	});
	expect(paid).toMatchObject({
		...{ status: "succeeded", amount: 2000, amount_capturable: 0, amount_received: captured },
		metadata: { parcel: "7" },
		latest_charge: {
			...{ captured: true, amount: 2000, amount_captured: captured, amount_refunded: 0, refunded: false },
			balance_transaction: { amount: captured },
		},
	});
	expect(await newestTypes(2)).toEqual(["charge.captured", "payment_intent.succeeded"]);
	expect(await refusal(stripe.refunds.create({ payment_intent: id, amount: captured + 1 }))).toMatchObject({
		statusCode: 400,
		param: "amount",
	});
	expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: captured });
	expect((await stripe.charges.list({ payment_intent: id })).data).toMatchObject([{ refunded: true }]);
});

test.each([
	["more than the authorized amount", { amount_to_capture: 2001 }, "amount_too_large", "amount_to_capture"],
	["nothing", { amount_to_capture: 0 }, "parameter_invalid_integer", "amount_to_capture"],
	["a part, to capture the rest later", { final_capture: false }, undefined, "final_capture"],
])("capturing %s returns 400", async (_, capture, code, param) => {
	const { id } = await authorize();
	const error = await refusal(stripe.paymentIntents.capture(id, capture));
	expect(error).toMatchObject({ statusCode: 400, param });
	expect(error.code).toBe(code);
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "requires_capture" });
});

test("only an authorized payment can be captured, once", async () => {
	const open = await create();
	expect(await refusal(stripe.paymentIntents.capture(open.id))).toMatchObject({
		code: "payment_intent_unexpected_state",
		message:
			"This PaymentIntent could not be captured because it has a status of requires_payment_method. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.",
	});
	const { id } = await authorize();
	await stripe.paymentIntents.capture(id);
	expect(await refusal(stripe.paymentIntents.capture(id))).toMatchObject({
		statusCode: 400,
		message: "This PaymentIntent could not be captured because it has already been captured.",
	});
});

test("canceling an authorized payment releases its amount without a refund", async () => {
	const { id } = await authorize();
	const canceled = await stripe.paymentIntents.cancel(id, { expand: ["latest_charge"] });
	expect(canceled).toMatchObject({
		...{ status: "canceled", amount_capturable: 0 },
		latest_charge: { captured: false, amount_captured: 0, amount_refunded: 0, refunded: false },
	});
	expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([]);
	expect(await newestTypes(1)).toEqual(["payment_intent.canceled"]);
});

test("an authorization expires after seven days", async () => {
	const kept = await authorize();
	await stripe.paymentIntents.capture(kept.id);
	const { id } = await authorize();
	await control({ control: "clock", advance: week - 60 });
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "requires_capture" });
	await control({ control: "clock", advance: 61 });
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
		...{ status: "canceled", cancellation_reason: "expired", amount_capturable: 0 },
	});
	expect(await newestTypes(2)).toEqual(["charge.expired", "payment_intent.canceled"]);
	expect(await stripe.paymentIntents.retrieve(kept.id)).toMatchObject({ status: "succeeded" });
});

test("a slow charge with manual capture waits for the capture after processing", async () => {
	await control({ control: "processing", seconds: 60 });
	expect(await authorize()).toMatchObject({ status: "processing", latest_charge: { captured: false } });
	const intent = await stripe.paymentIntents.create(params);
	await confirmInBrowser(intent, { number: "4242424242424242" });
	await control({ control: "clock", advance: 61 });
	expect(await stripe.paymentIntents.capture(intent.id)).toMatchObject({ status: "succeeded", amount_received: 2000 });
	await control({ control: "processing", seconds: 0 });
});

test("update and confirm can change the capture method", async () => {
	const { id } = await create();
	await stripe.paymentIntents.update(id, { capture_method: "manual" });
	const confirmed = await stripe.paymentIntents.confirm(id, {
		payment_method: "pm_card_visa",
		capture_method: "automatic",
	});
	expect(confirmed).toMatchObject({ status: "succeeded", capture_method: "automatic" });
});
