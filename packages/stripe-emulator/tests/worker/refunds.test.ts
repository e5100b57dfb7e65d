import { afterAll, beforeAll, expect, test } from "vitest";
import { control, create, eventsOf, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

/** Creates an intent for $14.99 and pays it with a card. */
const pay = (payment_method = "pm_card_visa", metadata = {}) =>
	stripe.paymentIntents.create({ amount: 1499, currency: "usd", confirm: true, payment_method, metadata });

const chargeOf = async (intentId: string) => (await stripe.charges.list({ payment_intent: intentId })).data[0];

test("a refund without an amount refunds the whole charge, which has the intent's metadata at its payment", async () => {
	const metadata = { shop: "half-dozen" };
	const { id, latest_charge, payment_method } = await pay("pm_card_visa", metadata);
	await stripe.paymentIntents.update(id, { metadata: { shop: "another" } });
	const details = { reason: "requested_by_customer", metadata: { order: "7" } } as const;
	const refund = await stripe.refunds.create({ payment_intent: id, ...details });
	expect(refund).toMatchObject({
		...details,
		id: expect.stringMatching(/^re_\w{24}$/),
		object: "refund",
		amount: 1499,
		currency: "usd",
		charge: latest_charge,
		payment_intent: id,
		status: "succeeded",
	});
	expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
	const refunded = { amount_refunded: 1499, refunded: true, payment_method, paid: true, metadata };
	expect(await chargeOf(id)).toMatchObject(refunded);
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "succeeded", amount_received: 1499 });
});

test("partial refunds cannot exceed the charge", async () => {
	const { id, latest_charge } = await pay();
	const charge = String(latest_charge);
	const { id: partial } = await stripe.refunds.create({ payment_intent: id, amount: 499 });
	expect(await chargeOf(id)).toMatchObject({ amount_refunded: 499, refunded: false });
	expect(await refusal(stripe.refunds.create({ charge, amount: 1001 }))).toMatchObject({
		statusCode: 400,
		param: "amount",
		message: "Refund amount ($10.01) is greater than unrefunded amount on charge ($10.00)",
	});
	const { id: rest, amount } = await stripe.refunds.create({ charge });
	expect(amount).toBe(1000);
	expect(await refusal(stripe.refunds.create({ charge }))).toMatchObject({
		statusCode: 400,
		code: "charge_already_refunded",
		message: `Charge ${charge} has already been refunded.`,
	});
	expect(await chargeOf(id)).toMatchObject({ amount_refunded: 1499, refunded: true });
	await stripe.refunds.create({ payment_intent: (await pay()).id });
	for (const params of [{ payment_intent: id }, { charge }]) {
		const { data, has_more, url } = await stripe.refunds.list(params);
		expect([data.map((refund) => refund.id), has_more, url]).toEqual([[rest, partial], false, "/v1/refunds"]);
	}
});

test("an unpaid intent cannot be refunded", async () => {
	const { id } = await create();
	const error = { statusCode: 400, code: "charge_not_refundable" };
	const message = `This PaymentIntent (${id}) does not have a successful charge to refund.`;
	expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ ...error, message });
	const payment_method = "pm_card_visa_chargeDeclined";
	const declined = await refusal(stripe.paymentIntents.confirm(id, { payment_method }));
	for (const params of [{ payment_intent: id }, { charge: String(declined.charge) }]) {
		expect(await refusal(stripe.refunds.create(params))).toMatchObject(error);
	}
});

test.each([
	["neither an intent nor a charge", {}, "payment_intent"],
	["both an intent and a charge", { payment_intent: "pi_1", charge: "ch_1" }, undefined],
	["an amount of 0", { payment_intent: "pi_1", amount: 0 }, "amount"],
	["an unknown reason", { payment_intent: "pi_1", reason: "bored" }, "reason"],
	["an unknown parameter", { payment_intent: "pi_1", refund_application_fee: true }, "refund_application_fee"],
])("a refund with %s returns 400", async (_, params, param) => {
	const error = await refusal(stripe.rawRequest("POST", "/v1/refunds", params));
	expect([error.statusCode, error.param]).toEqual([400, param]);
});

test("a pending refund succeeds after a minute", async () => {
	const { id } = await pay("pm_card_pendingRefund");
	const refund = await stripe.refunds.create({ payment_intent: id });
	expect(refund.status).toBe("pending");
	await control({ control: "clock", advance: 30 });
	expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
	await control({ control: "clock", advance: 60 });
	expect(await stripe.refunds.retrieve(refund.id)).toEqual({ ...refund, status: "succeeded" });
	expect(await chargeOf(id)).toMatchObject({ amount_refunded: 1499, refunded: true });
	expect((await eventsOf(id)).at(-1)).toMatchObject({
		type: "refund.updated",
		data: { object: { status: "succeeded" } },
	});
});

test("a refund to the refundFail test card fails after a minute and can be retried", async () => {
	const { id } = await pay("pm_card_refundFail");
	const refund = await stripe.refunds.create({ payment_intent: id, amount: 500 });
	expect(refund.status).toBe("succeeded");
	await control({ control: "clock", advance: 61 });
	const failed = { ...refund, status: "failed", failure_reason: "expired_or_canceled_card" };
	expect(await stripe.refunds.retrieve(refund.id)).toEqual(failed);
	expect(await chargeOf(id)).toMatchObject({ amount_refunded: 0, refunded: false });
	const events = (await eventsOf(id)).slice(-2);
	expect(events.map(({ type }) => type)).toEqual(["refund.updated", "refund.failed"]);
	expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 1499 });
});
