// Calls the emulator with stripe-node, which is configured with an address only. Prints "ok NAME" or "FAIL NAME REASON"
// for each call. Environment: PORT, PAYLOAD and SIGNATURE of a webhook.
import assert from "node:assert/strict";
import { env } from "node:process";
import Stripe from "stripe";

const port = env["PORT"] ?? "";
const stripe = new Stripe("sk_test_any", { host: "localhost", port, protocol: "http", telemetry: false });
const card = { allowed_payment_method_types: ["card" as const] };
const paid = () =>
	stripe.paymentIntents.create({
		amount: 2000,
		currency: "eur",
		...card,
		confirm: true,
		payment_method: "pm_card_visa",
	});

async function call(name: string, work: () => Promise<unknown>): Promise<void> {
	try {
		await work();
		console.info(`ok ${name}`);
	} catch (error) {
		console.info(`FAIL ${name} ${String(error).replaceAll("\n", " ")}`);
	}
}

const intent = await stripe.paymentIntents.create({ amount: 500, currency: "usd", ...card });
const charged = await paid();

await call("create", async () => assert.equal(intent.status, "requires_payment_method"));
await call("retrieve", async () => assert.equal((await stripe.paymentIntents.retrieve(intent.id)).amount, 500));
await call("update", async () => {
	const updated = await stripe.paymentIntents.update(intent.id, { metadata: { order: "6" }, amount: 600 });
	assert.deepEqual([updated.amount, updated.metadata], [600, { order: "6" }]);
});
await call("decline", async () => {
	const declined = stripe.paymentIntents.confirm(intent.id, {
		payment_method: "pm_card_visa_chargeDeclinedInsufficientFunds",
	});
	await assert.rejects(declined, (error) => {
		assert(error instanceof Stripe.errors.StripeCardError);
		return error.decline_code === "insufficient_funds";
	});
});
await call("confirm", async () => {
	const confirmed = await stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa" });
	assert.equal(confirmed.status, "succeeded");
});
await call("cancel", async () => {
	const { id } = await stripe.paymentIntents.create({ amount: 500, currency: "usd", ...card });
	assert.equal((await stripe.paymentIntents.cancel(id)).status, "canceled");
});
await call("capture", async () => {
	const held = { capture_method: "manual", confirm: true, payment_method: "pm_card_visa" } as const;
	const { id, status } = await stripe.paymentIntents.create({ amount: 500, currency: "usd", ...card, ...held });
	assert.equal(status, "requires_capture");
	assert.equal((await stripe.paymentIntents.capture(id, { amount_to_capture: 300 })).amount_received, 300);
});
await call("list with auto-paging", async () => {
	const ids = new Set<string>();
	for await (const { id } of stripe.paymentIntents.list({ limit: 1 })) ids.add(id);
	assert(ids.size >= 4);
});
await call("refunds", async () => {
	const refund = await stripe.refunds.create({ payment_intent: charged.id, amount: 500 });
	assert.equal((await stripe.refunds.retrieve(refund.id)).status, "succeeded");
});
await call("charges", async () => {
	const [charge] = (await stripe.charges.list({ payment_intent: charged.id })).data;
	assert.equal(charge?.amount_refunded, 500);
});
await call("events", async () => {
	const [event] = (await stripe.events.list({ type: "charge.refunded", limit: 1 })).data;
	assert.equal((await stripe.events.retrieve(event?.id ?? "")).type, "charge.refunded");
});
await call("customers", async () => {
	const { id } = await stripe.customers.create({ email: "jo@example.com" });
	assert.equal((await stripe.customers.update(id, { name: "Jo" })).name, "Jo");
	assert.equal((await stripe.customers.list({ email: "jo@example.com" })).data[0]?.id, id);
	assert.equal((await stripe.customers.del(id)).deleted, true);
});
await call("payment methods", async () => {
	const customer = await stripe.customers.create();
	const method = await stripe.paymentMethods.attach("pm_card_mastercard", { customer: customer.id });
	const { data } = await stripe.paymentMethods.list({ customer: customer.id, type: "card" });
	assert.deepEqual(
		data.map(({ id }) => id),
		[method.id],
	);
	assert.equal((await stripe.paymentMethods.detach(method.id)).customer, null);
});
await call("setup intents", async () => {
	const customer = await stripe.customers.create();
	const setup = { customer: customer.id, confirm: true, payment_method: "pm_card_visa", ...card };
	assert.equal((await stripe.setupIntents.create(setup)).status, "succeeded");
});
await call("disputes", async () => {
	const disputed = { ...card, confirm: true, payment_method: "pm_card_createDispute" };
	const { id } = await stripe.paymentIntents.create({ amount: 700, currency: "usd", ...disputed });
	const [dispute] = (await stripe.disputes.list({ payment_intent: id })).data;
	assert.equal((await stripe.disputes.close(dispute?.id ?? "")).status, "lost");
});
await call("webhook endpoints", async () => {
	const { id, secret } = await stripe.webhookEndpoints.create({
		url: "https://example.com/",
		enabled_events: ["refund.failed"],
	});
	assert.match(secret ?? "", /^whsec_/);
	assert.equal((await stripe.webhookEndpoints.update(id, { disabled: true })).status, "disabled");
	assert.equal((await stripe.webhookEndpoints.del(id)).deleted, true);
});
await call("balance transactions", async () => {
	const { data } = await stripe.balanceTransactions.list({ type: "refund" });
	assert.equal(data[0]?.amount, -500);
});
await call("expand", async () => {
	const { latest_charge } = await stripe.paymentIntents.retrieve(charged.id, { expand: ["latest_charge"] });
	assert(latest_charge !== null && typeof latest_charge === "object" && latest_charge.paid);
});
await call("idempotency", async () => {
	const once = () =>
		stripe.paymentIntents.create({ amount: 900, currency: "usd", ...card }, { idempotencyKey: `order-6-${port}` });
	assert.equal((await once()).id, (await once()).id);
});
await call("invalid request", () =>
	assert.rejects(stripe.paymentIntents.retrieve("pi_none"), Stripe.errors.StripeInvalidRequestError),
);
await call("webhook signature", async () => {
	const event = stripe.webhooks.constructEvent(env["PAYLOAD"] ?? "", env["SIGNATURE"] ?? "", "whsec_emulator");
	assert.equal(event.object, "event");
});
