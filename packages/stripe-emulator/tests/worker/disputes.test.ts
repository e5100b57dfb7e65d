import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { control, eventTypesAbout, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

/** Pays $50.00 with a card. */
const pay = (name: string, rest: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
	stripe.paymentIntents.create({
		...{ amount: 5000, currency: "usd", confirm: true, payment_method: `pm_card_${name}` },
		allowed_payment_method_types: ["card"],
		...rest,
	});

const disputesOf = async (payment_intent: string) => (await stripe.disputes.list({ payment_intent })).data;

/** Pays with a card whose charge is disputed once, and returns the dispute. */
async function dispute(name: string): Promise<Stripe.Dispute> {
	const [found] = await disputesOf((await pay(name)).id);
	if (found) return found;
	throw new Error(`The payment with ${name} is not disputed.`);
}

const submit = (id: string, uncategorized_text: string) =>
	stripe.disputes.update(id, { evidence: { uncategorized_text } });

/** Advances the clock until a review has ended. */
const review = () => control({ control: "clock", advance: 5 });

test.each([
	["createDispute", { reason: "fraudulent", network_reason_code: "10.4" }, "chargeback"],
	["createDisputeProductNotReceived", { reason: "product_not_received", network_reason_code: "13.1" }, "chargeback"],
	["createCe3EligibleDispute", { enhanced_eligibility_types: ["visa_compelling_evidence_3"] }, "chargeback"],
	["createComplianceDispute", { enhanced_eligibility_types: ["visa_compliance"] }, "compliance"],
	["createMastercardComplianceDispute", { enhanced_eligibility_types: ["mastercard_compliance"] }, "compliance"],
	["createEthocaAlert", { reason: "fraudulent", network_reason_code: "4837" }, "chargeback"],
])("a payment with %s is disputed", async (name, expected, case_type) => {
	const created = await dispute(name);
	expect(created).toMatchObject({
		...expected,
		amount: 5000,
		balance_transactions: [{ amount: -5000, fee: 1500, net: -6500, reporting_category: "dispute", type: "adjustment" }],
		evidence_details: { has_evidence: false, past_due: false, submission_count: 0 },
		is_charge_refundable: false,
		payment_method_details: { card: { case_type }, type: "card" },
		status: "needs_response",
	});
	expect(await stripe.disputes.retrieve(created.id)).toEqual(created);
	const charge = await stripe.charges.retrieve(String(created.charge));
	expect(charge).toMatchObject({ disputed: true, paid: true });
	expect(await eventTypesAbout(created.id)).toEqual(["charge.dispute.created", "charge.dispute.funds_withdrawn"]);
	expect(await refusal(stripe.refunds.create({ charge: charge.id }))).toMatchObject({
		code: "charge_disputed",
		message: `Charge ${charge.id} has been charged back; cannot issue a refund.`,
	});
});

test("an inquiry withdraws no funds, and a full refund closes it", async () => {
	const inquiry = await dispute("createDisputeInquiry");
	expect(inquiry).toMatchObject({
		balance_transactions: [],
		is_charge_refundable: true,
		network_reason_code: "10",
		payment_method_details: { card: { case_type: "inquiry" } },
		status: "warning_needs_response",
	});
	await stripe.refunds.create({ charge: String(inquiry.charge), amount: 1000 });
	expect(await stripe.disputes.retrieve(inquiry.id)).toMatchObject({ status: "warning_needs_response" });
	await stripe.refunds.create({ charge: String(inquiry.charge) });
	expect(await stripe.disputes.retrieve(inquiry.id)).toMatchObject({ status: "warning_closed" });
	expect(await eventTypesAbout(inquiry.id)).toEqual(["charge.dispute.created", "charge.dispute.closed"]);
});

test("several disputes share the amount of a charge", async () => {
	const { id } = await pay("createMultipleDisputes", { amount: 4999 });
	const found = await disputesOf(id);
	expect(found.map(({ amount }) => amount)).toEqual([2500, 2499]);
});

test("the dispute of an authorized payment is opened when it is captured", async () => {
	const { id } = await pay("createDispute", { capture_method: "manual" });
	expect(await disputesOf(id)).toEqual([]);
	await stripe.paymentIntents.capture(id, { amount_to_capture: 3000 });
	expect(await disputesOf(id)).toMatchObject([{ amount: 3000 }]);
});

test.each([
	["winning_evidence", "won", ["charge.dispute.closed", "charge.dispute.funds_reinstated"]],
	["losing_evidence", "lost", ["charge.dispute.closed"]],
	["a letter", "under_review", []],
])("a dispute with the evidence %s ends as %s", async (text, status, events) => {
	const { id, charge } = await dispute("createDispute");
	expect(await submit(id, text)).toMatchObject({
		evidence: { uncategorized_text: text },
		evidence_details: { has_evidence: true, submission_count: 1, submission_method: "manual" },
		status: "under_review",
	});
	expect((await refusal(submit(id, "more"))).message).toContain("status of under_review");
	await review();
	const decided = await stripe.disputes.retrieve(id);
	expect(decided).toMatchObject({ status, is_charge_refundable: status === "won" });
	expect(decided.balance_transactions.map(({ net }) => net)).toEqual(status === "won" ? [-6500, 6500] : [-6500]);
	const opened = ["charge.dispute.created", "charge.dispute.funds_withdrawn", "charge.dispute.updated"];
	expect(await eventTypesAbout(id)).toEqual([...opened, ...events]);
	const refunding = stripe.refunds.create({ charge: String(charge) });
	if (status === "won") expect(await refunding).toMatchObject({ amount: 5000 });
	else expect(await refusal(refunding)).toMatchObject({ code: "charge_disputed" });
});

test("escalate_inquiry_evidence turns an inquiry into a chargeback, which can be won", async () => {
	const { id } = await dispute("createDisputeInquiry");
	expect(await submit(id, "escalate_inquiry_evidence")).toMatchObject({ status: "warning_under_review" });
	await review();
	expect(await stripe.disputes.retrieve(id)).toMatchObject({
		balance_transactions: [{ net: -6500 }],
		is_charge_refundable: false,
		network_reason_code: "10.4",
		payment_method_details: { card: { case_type: "chargeback" } },
		status: "needs_response",
	});
	expect(await eventTypesAbout(id)).toEqual([
		...["charge.dispute.created", "charge.dispute.updated"],
		...["charge.dispute.updated", "charge.dispute.funds_withdrawn"],
	]);
	await submit(id, "winning_evidence");
	await review();
	expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: "won" });
});

test("losing_evidence closes an inquiry without a chargeback", async () => {
	const { id } = await dispute("createDisputeInquiry");
	await submit(id, "losing_evidence");
	await review();
	expect(await stripe.disputes.retrieve(id)).toMatchObject({ balance_transactions: [], status: "warning_closed" });
});

test("staged evidence is submitted by a later update, and metadata can change at any time", async () => {
	const { id } = await dispute("createDispute");
	const staged = { customer_name: "Ada Lovelace", uncategorized_text: "winning_evidence" };
	expect(await stripe.disputes.update(id, { evidence: staged, submit: false })).toMatchObject({
		evidence_details: { has_evidence: true, submission_count: 0 },
		status: "needs_response",
	});
	expect(await stripe.disputes.update(id, { evidence: { customer_name: "" }, submit: true })).toMatchObject({
		evidence: { customer_name: null, uncategorized_text: "winning_evidence" },
		status: "under_review",
	});
	await stripe.disputes.update(id, { metadata: { order: "7", shop: "x" } });
	const updated = await stripe.disputes.update(id, { metadata: { shop: "" } });
	expect(updated).toMatchObject({ metadata: { order: "7" }, status: "under_review" });
	const [event] = (await stripe.events.list({ type: "charge.dispute.updated", limit: 1 })).data;
	expect(event?.data.previous_attributes).toEqual({ metadata: { shop: "x" } });
});

test("the fee of a compliance dispute can be acknowledged", async () => {
	const { id } = await dispute("createComplianceDispute");
	const evidence = { enhanced_evidence: { visa_compliance: { fee_acknowledged: true } } };
	expect(await stripe.disputes.update(id, { evidence, submit: false })).toMatchObject({
		evidence,
		evidence_details: { enhanced_eligibility: { visa_compliance: { status: "fee_acknowledged" } } },
	});
	const { id: another } = await dispute("createDispute");
	expect((await refusal(stripe.disputes.update(another, { evidence }))).message).toContain("not eligible");
});

test("closing a dispute loses it, and a closed dispute cannot be closed again", async () => {
	const { id } = await dispute("createDispute");
	expect(await stripe.disputes.close(id)).toMatchObject({ status: "lost" });
	expect((await refusal(stripe.disputes.close(id))).message).toContain("status of lost");
	expect(await eventTypesAbout(id)).toContain("charge.dispute.closed");
});

test("a dispute without evidence is lost when the evidence is due, and an inquiry closes after 120 days", async () => {
	const chargeback = await dispute("createDispute");
	const inquiry = await dispute("createDisputeInquiry");
	const due = Number(chargeback.evidence_details.due_by) - chargeback.created;
	await control({ control: "clock", advance: due + 1 });
	expect(await stripe.disputes.retrieve(chargeback.id)).toMatchObject({
		evidence_details: { past_due: true },
		status: "lost",
	});
	const open = { evidence_details: { past_due: true }, status: "warning_needs_response" };
	expect(await stripe.disputes.retrieve(inquiry.id)).toMatchObject(open);
	await control({ control: "clock", advance: 120 * 86_400 - due });
	expect(await stripe.disputes.retrieve(inquiry.id)).toMatchObject({ status: "warning_closed" });
});

test("an early fraud warning is actionable until its charge is refunded", async () => {
	const { id, latest_charge } = await pay("createIssuerFraudRecord");
	const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id });
	expect(data).toMatchObject([
		{ actionable: true, charge: latest_charge, fraud_type: "made_with_stolen_card", payment_intent: id },
	]);
	const warning = data[0]?.id ?? "";
	await stripe.refunds.create({ payment_intent: id });
	expect(await stripe.radar.earlyFraudWarnings.retrieve(warning)).toMatchObject({ actionable: false });
	expect(await eventTypesAbout(warning)).toEqual([
		"radar.early_fraud_warning.created",
		"radar.early_fraud_warning.updated",
	]);
	expect(await disputesOf(id)).toEqual([]);
});

const ce3 = "evidence[enhanced_evidence][visa_compelling_evidence_3]";
test.each([
	[{ evidence: { uncategorized_file: "file_1" } }, 404, "evidence[uncategorized_file]"],
	[{ evidence: { enhanced_evidence: { visa_compelling_evidence_3: { x: "" } } } }, 400, ce3],
	[{ evidence: { reason: "x" } }, 400, "evidence[reason]"],
	[{ status: "won" }, 400, "status"],
])("updating a dispute with %j returns %i", async (params, statusCode, param) => {
	const { id } = await dispute("createDispute");
	const updating = stripe.rawRequest("POST", `/v1/disputes/${id}`, params);
	expect(await refusal(updating)).toMatchObject({ statusCode, param });
});

test("unknown disputes and early fraud warnings return 404", async () => {
	for (const call of [
		() => stripe.disputes.retrieve("du_1"),
		() => stripe.disputes.close("du_1"),
		() => stripe.disputes.update("du_1", { metadata: { a: "b" } }),
		() => stripe.radar.earlyFraudWarnings.retrieve("issfr_1"),
	]) {
		expect(await refusal(call())).toMatchObject({ statusCode: 404, code: "resource_missing" });
	}
});

test("a dispute expands its charge", async () => {
	const { id } = await dispute("createDispute");
	const { charge } = await stripe.disputes.retrieve(id, { expand: ["charge.balance_transaction"] });
	expect(charge).toMatchObject({ object: "charge", balance_transaction: { object: "balance_transaction" } });
});

test("the control dispute opens a dispute of any captured payment", async () => {
	const { id } = await pay("visa");
	const created = await control<Stripe.Dispute>({ control: "dispute", payment_intent: id, reason: "duplicate" });
	expect(created).toMatchObject({ reason: "duplicate", network_reason_code: "12.6", status: "needs_response" });
	expect(await disputesOf(id)).toEqual([created]);
	await expect(control({ control: "dispute", payment_intent: id })).rejects.toThrow("already disputed");
	const { id: another } = await pay("visa");
	const inquiry = { control: "dispute", payment_intent: another, case_type: "inquiry" } as const;
	expect(await control(inquiry)).toMatchObject({ status: "warning_needs_response" });
});
