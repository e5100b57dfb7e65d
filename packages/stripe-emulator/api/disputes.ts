import type Stripe from "stripe";
import { asOf, newBalanceTransaction } from "../objects/balance-transaction.ts";
import type { DisputePlan } from "../objects/cards.ts";
import {
	deadlinesOf,
	decided,
	type EvidenceChange,
	fileFields,
	isClosed,
	isInquiry,
	needsResponse,
	newDispute,
	newEarlyFraudWarning,
	REVIEW_TIME,
	reconsidered,
	submitted,
	textFields,
	withEvidence,
	withFeeAcknowledged,
} from "../objects/dispute.ts";
import { previousAttributes, updatedMetadata } from "../objects/update.ts";
import { everything } from "../store.ts";
import { invalidRequest, noSuch } from "./errors.ts";
import { list } from "./list.ts";
import type { Parameters } from "./parameters.ts";
import type { Call, Ledger, Route } from "./routes.ts";

const disputes = { browsers: "refused", returns: "dispute" } as const;
const warnings = { browsers: "refused", returns: "early_fraud_warning" } as const;
const one = /^\/v1\/disputes\/(\w+)$/;

export const disputeRoutes: readonly Route[] = [
	{ name: "disputes.list", method: "GET", path: /^\/v1\/disputes$/, prepare: listDisputes, ...disputes },
	{ name: "disputes.retrieve", method: "GET", path: one, prepare: retrieve, ...disputes },
	{ name: "disputes.update", method: "POST", path: one, prepare: update, ...disputes },
	{ name: "disputes.close", method: "POST", path: /^\/v1\/disputes\/(\w+)\/close$/, prepare: close, ...disputes },
	{
		name: "radar.early_fraud_warnings.list",
		method: "GET",
		path: /^\/v1\/radar\/early_fraud_warnings$/,
		prepare: listWarnings,
		...warnings,
	},
	{
		name: "radar.early_fraud_warnings.retrieve",
		method: "GET",
		path: /^\/v1\/radar\/early_fraud_warnings\/(\w+)$/,
		prepare: retrieveWarning,
		...warnings,
	},
];

/** Stripe's fee for a chargeback, in minor units. */
const disputeFee = 1500;

function listDisputes(call: Call) {
	const listed = list(call, "dispute", { equal: ["charge", "payment_intent"] });
	return () => {
		const found = listed();
		return { ...found, data: found.data.map((dispute) => current(dispute, call.now)) };
	};
}

function listWarnings(call: Call) {
	return list(call, "early_fraud_warning", { equal: ["charge", "payment_intent"] });
}

function retrieve(call: Call) {
	call.params.only();
	return () => current(find(call), call.now);
}

function retrieveWarning({ id, params, store }: Call) {
	params.only();
	return () => {
		const warning = store.find("early_fraud_warning", id);
		if (warning) return warning;
		throw noSuch("issuer fraud record", id, "id");
	};
}

function find({ id, store }: Call): Stripe.Dispute {
	const dispute = store.find("dispute", id);
	if (dispute) return dispute;
	throw noSuch("dispute", id, "id");
}

function current(dispute: Stripe.Dispute, now: number): Stripe.Dispute {
	const balance_transactions = dispute.balance_transactions.map((transaction) => asOf(transaction, now));
	return { ...dispute, balance_transactions };
}

const submissionMethods = ["manual", "prefer_manual", "prefer_smart_disputes", "smart_disputes"] as const;

function update(call: Call) {
	const { now, params } = call;
	params.only("evidence", "intended_submission_method", "metadata", "submit");
	const evidence = params.group("evidence");
	const change = evidence && readEvidence(evidence);
	const acknowledged = evidence && readFeeAcknowledged(evidence);
	const metadata = params.metadata("metadata");
	const method = params.choice("intended_submission_method", submissionMethods);
	const submits = params.boolean("submit") ?? evidence !== undefined;
	return () => {
		const before = find(call);
		if ((evidence || submits) && !needsResponse(before)) {
			throw invalidRequest(
				`This dispute's evidence cannot be updated because it has a status of ${before.status}. You may only update the evidence of a dispute with one of the following statuses: needs_response, warning_needs_response.`,
			);
		}
		let dispute = change ? withEvidence(before, change) : before;
		if (acknowledged) dispute = withFeeAcknowledged(dispute, eligibleFor(before, acknowledged));
		if (method) dispute = { ...dispute, intended_submission_method: method };
		dispute = { ...dispute, metadata: updatedMetadata(metadata, dispute.metadata) };
		if (submits) {
			dispute = submitted(dispute);
			call.remember(now + REVIEW_TIME, "dispute", dispute.id);
		}
		return save(call, before, dispute);
	};
}

function readEvidence(evidence: Parameters): EvidenceChange {
	evidence.only(...textFields, ...fileFields, "enhanced_evidence");
	const change: EvidenceChange = {};
	for (const field of textFields) if (evidence.has(field)) change[field] = evidence.clearable(field) ?? null;
	for (const field of fileFields) {
		const file = evidence.clearable(field);
		if (file) throw noSuch("file upload", file, evidence.name(field));
		if (file === null) change[field] = null;
	}
	return change;
}

const compliances = ["mastercard_compliance", "visa_compliance"] as const;

/** Reads `enhanced_evidence`, and returns the kind of compliance dispute whose fee is acknowledged, if any. */
function readFeeAcknowledged(evidence: Parameters): (typeof compliances)[number] | undefined {
	const enhanced = evidence.group("enhanced_evidence");
	if (enhanced?.has("visa_compelling_evidence_3")) {
		throw invalidRequest("The emulator does not support Visa Compelling Evidence 3.0. It supports the text fields.", {
			param: enhanced.name("visa_compelling_evidence_3"),
		});
	}
	enhanced?.only(...compliances);
	return compliances.find((kind) => {
		const group = enhanced?.group(kind);
		group?.only("fee_acknowledged");
		return group?.boolean("fee_acknowledged") === true;
	});
}

function eligibleFor(dispute: Stripe.Dispute, compliance: (typeof compliances)[number]) {
	if (dispute.enhanced_eligibility_types.includes(compliance)) return compliance;
	throw invalidRequest(`This dispute is not eligible for ${compliance}.`, {
		param: `evidence[enhanced_evidence][${compliance}]`,
	});
}

function close(call: Call) {
	call.params.only();
	return () => {
		const before = find(call);
		if (needsResponse(before)) return save(call, before, decided(before, "lost"));
		throw invalidRequest(`This dispute cannot be closed because it has a status of ${before.status}.`);
	};
}

/** Stores a changed dispute, moves its money and creates its events. Returns the dispute. */
function save(ledger: Ledger, before: Stripe.Dispute, after: Stripe.Dispute): Stripe.Dispute {
	const { emit, store } = ledger;
	const isEscalated = isInquiry(before) && !isInquiry(after);
	const isWon = after.status === "won" && before.status !== "won";
	const dispute = isEscalated ? withFunds(ledger, after, -1) : isWon ? withFunds(ledger, after, 1) : after;
	store.save("dispute", dispute.id, dispute);
	if (isClosed(dispute) && !isClosed(before)) emit({ type: "charge.dispute.closed", data: { object: dispute } });
	else
		emit({
			type: "charge.dispute.updated",
			data: { object: dispute, previous_attributes: previousAttributes(before, dispute) },
		});
	if (isEscalated) emit({ type: "charge.dispute.funds_withdrawn", data: { object: dispute } });
	if (isWon) emit({ type: "charge.dispute.funds_reinstated", data: { object: dispute } });
	return dispute;
}

/** Withdraws (-1) or reinstates (1) the funds of a chargeback with its fee, and returns it with the transaction. */
function withFunds({ now, store }: Ledger, dispute: Stripe.Dispute, direction: -1 | 1): Stripe.Dispute {
	const isWithdrawal = direction === -1;
	const transaction = newBalanceTransaction(
		{
			amount: direction * dispute.amount,
			currency: dispute.currency,
			description: `Chargeback ${isWithdrawal ? "withdrawal" : "reversal"} for ${dispute.charge}`,
			fee: -direction * disputeFee,
			feeDescription: isWithdrawal ? "Dispute fee" : "Dispute fee refund",
			reportingCategory: isWithdrawal ? "dispute" : "dispute_reversal",
			source: dispute.id,
			type: "adjustment",
		},
		now,
	);
	store.save("balance_transaction", transaction.id, transaction);
	return { ...dispute, balance_transactions: [...dispute.balance_transactions, transaction] };
}

/** Creates the disputes or the early fraud warning of a test card after its charge has been captured. */
export function disputeTestCard(ledger: Ledger, charge: Stripe.Charge): void {
	const { emit, now, store } = ledger;
	const { dispute } = store.find("payment_method", charge.payment_method ?? "")?.outcome ?? {};
	if (dispute === "warning") {
		const warning = newEarlyFraudWarning(charge, now);
		store.save("early_fraud_warning", warning.id, warning);
		emit({ type: "radar.early_fraud_warning.created", data: { object: warning } });
	} else if (dispute) openDispute(ledger, charge, dispute);
}

/** Disputes what has not been refunded of a captured charge, and returns its disputes. Throws if nothing is left, or if
 *  the charge is already disputed. */
function openDispute(ledger: Ledger, charge: Stripe.Charge, plan: DisputePlan): Stripe.Dispute[] {
	const { emit, now, store } = ledger;
	const total = charge.amount_captured - charge.amount_refunded;
	if (total <= 0) throw invalidRequest(`Charge ${charge.id} has no captured amount left to dispute.`);
	if (disputesOf(ledger, charge).some((dispute) => !isClosed(dispute) || dispute.status === "lost")) {
		throw invalidRequest(`Charge ${charge.id} is already disputed.`);
	}
	store.save("charge", charge.id, { ...charge, disputed: true });
	const { count = 1 } = plan;
	return Array.from({ length: count }, (_, index) => {
		const amount = Math.floor((total * (index + 1)) / count) - Math.floor((total * index) / count);
		const opened = newDispute(plan, charge, amount, now);
		const dispute = isInquiry(opened) ? opened : withFunds(ledger, opened, -1);
		store.save("dispute", dispute.id, dispute);
		for (const at of deadlinesOf(dispute)) ledger.remember(at, "dispute", dispute.id);
		emit({ type: "charge.dispute.created", data: { object: dispute } });
		if (!isInquiry(dispute)) emit({ type: "charge.dispute.funds_withdrawn", data: { object: dispute } });
		return dispute;
	});
}

/** Disputes a captured payment, and returns its dispute. Throws as openDispute does, and if the payment is not
 *  captured. */
export function disputePayment(
	ledger: Ledger,
	intentId: string,
	{ reason, case_type }: { reason: string; case_type: "chargeback" | "inquiry" },
): Stripe.Dispute | undefined {
	const intent = ledger.store.find("payment_intent", intentId);
	const charge = ledger.store.find("charge", typeof intent?.latest_charge === "string" ? intent.latest_charge : "");
	if (!charge?.captured) throw invalidRequest(`PaymentIntent ${intentId} does not have a captured charge.`);
	return openDispute(ledger, charge, { reason, caseType: case_type })[0];
}

function disputesOf({ store }: Ledger, charge: Stripe.Charge): Stripe.Dispute[] {
	if (!charge.disputed) return [];
	return store.list("dispute", everything, (dispute) => dispute.charge === charge.id)?.data ?? [];
}

/** Decides a dispute whose review has ended, or whose deadline has passed. */
export function reconsiderDispute(ledger: Ledger, id: string): void {
	const before = ledger.store.find("dispute", id);
	const after = before && reconsidered(before, ledger.now);
	if (!before || !after || after === before) return;
	save(ledger, before, after);
	if (isInquiry(before) && !isInquiry(after)) {
		for (const at of deadlinesOf(after)) ledger.remember(at, "dispute", id);
	}
}

/** Throws charge_disputed if a dispute has withdrawn the charge's funds. */
export function requireRefundable(ledger: Ledger, charge: Stripe.Charge): void {
	if (disputesOf(ledger, charge).every((dispute) => dispute.is_charge_refundable)) return;
	throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
		code: "charge_disputed",
	});
}

/** Closes the inquiries about a fully refunded charge, and marks its early fraud warnings as not actionable. */
export function closeInquiries(ledger: Ledger, charge: Stripe.Charge): void {
	const { emit, store } = ledger;
	if (!charge.refunded) return;
	for (const dispute of disputesOf(ledger, charge)) {
		if (isInquiry(dispute) && !isClosed(dispute)) save(ledger, dispute, decided(dispute, "won"));
	}
	const isOpen = (warning: Stripe.Radar.EarlyFraudWarning) => warning.charge === charge.id && warning.actionable;
	for (const warning of store.list("early_fraud_warning", everything, isOpen)?.data ?? []) {
		const after = { ...warning, actionable: false };
		store.save("early_fraud_warning", warning.id, after);
		const previous_attributes = { actionable: true };
		emit({ type: "radar.early_fraud_warning.updated", data: { object: after, previous_attributes } });
	}
}
