import { afterAll, beforeAll, expect, test } from "vitest";
import { control, create, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

/** Creates an intent for $14.99 and pays it with a card. */
const pay = (payment_method = "pm_card_visa", metadata = {}) =>
	stripe.paymentIntents.create({ amount: 1499, currency: "usd", confirm: true, payment_method, metadata });

const chargeOf = async (intentId: string) => (await stripe.charges.list({ payment_intent: intentId })).data[0];

/** Returns the types of an object's events, newest first. */
async function eventsOf(id: string): Promise<string[]> {
	const { data } = await stripe.events.list({ limit: 100 });
	return data.filter((event) => "id" in event.data.object && event.data.object.id === id).map(({ type }) => type);
}

test("a refund without an amount refunds the whole charge", async () => {
	const { id, latest_charge, payment_method } = await pay();
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
	expect(await chargeOf(id)).toMatchObject({ amount_refunded: 1499, refunded: true, payment_method, paid: true });
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "succeeded", amount_received: 1499 });
});

test("charge.refunded carries the metadata that the intent had when it was charged", async () => {
	const metadata = { shop: "half-dozen" };
	const { id } = await pay("pm_card_visa", metadata);
	await stripe.paymentIntents.update(id, { metadata: { shop: "another" } });
	await stripe.refunds.create({ payment_intent: id });
	const [event] = (await stripe.events.list({ type: "charge.refunded", limit: 1 })).data;
	expect(event?.data.object).toMatchObject({ payment_intent: id, metadata });
});

test("partial refunds cannot exceed the charge", async () => {
	const { id, latest_charge } = await pay();
	const charge = String(latest_charge);
	await stripe.refunds.create({ payment_intent: id, amount: 499 });
	expect(await chargeOf(id)).toMatchObject({ amount_refunded: 499, refunded: false });
	expect(await refusal(stripe.refunds.create({ charge, amount: 1001 }))).toMatchObject({
		statusCode: 400,
		param: "amount",
		message: "Refund amount ($10.01) is greater than unrefunded amount on charge ($10.00)",
	});
	expect(await stripe.refunds.create({ charge })).toMatchObject({ amount: 1000 });
	expect(await refusal(stripe.refunds.create({ charge }))).toMatchObject({
		statusCode: 400,
		code: "charge_already_refunded",
		message: `Charge ${charge} has already been refunded.`,
	});
	expect(await chargeOf(id)).toMatchObject({ amount_refunded: 1499, refunded: true });
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
	expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([]);
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
	expect(await eventsOf(refund.id)).toEqual(["refund.updated", "refund.created"]);
});

test("a refund to the refundFail test card fails after a minute and can be retried", async () => {
	const { id } = await pay("pm_card_refundFail");
	const refund = await stripe.refunds.create({ payment_intent: id, amount: 500 });
	expect(refund.status).toBe("succeeded");
	expect(await chargeOf(id)).toMatchObject({ amount_refunded: 500 });
	await control({ control: "clock", advance: 61 });
	const failed = { ...refund, status: "failed", failure_reason: "expired_or_canceled_card" };
	expect(await stripe.refunds.retrieve(refund.id)).toEqual(failed);
	expect(await chargeOf(id)).toMatchObject({ amount_refunded: 0, refunded: false });
	expect(await eventsOf(refund.id)).toEqual(["refund.failed", "refund.updated", "refund.created"]);
	expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 1499 });
});

test("refunds can be filtered by intent and by charge", async () => {
	const [one, other] = [await pay(), await pay()];
	const { id: older } = await stripe.refunds.create({ payment_intent: one.id, amount: 100 });
	const { id: newer } = await stripe.refunds.create({ payment_intent: one.id, amount: 200 });
	await stripe.refunds.create({ payment_intent: other.id });
	const ids = async (params: { payment_intent?: string; charge?: string; limit?: number }) => {
		const { data, has_more, url } = await stripe.refunds.list(params);
		return [data.map(({ id }) => id), has_more, url];
	};
	expect(await ids({ payment_intent: one.id })).toEqual([[newer, older], false, "/v1/refunds"]);
	expect(await ids({ charge: String(one.latest_charge), limit: 1 })).toEqual([[newer], true, "/v1/refunds"]);
});
