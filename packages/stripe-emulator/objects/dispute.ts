import type Stripe from "stripe";
import type { DisputePlan } from "./cards.ts";
import { newId } from "./ids.ts";

/** Disputes and their transitions. Each function returns a new dispute and mutates nothing. Times are in Unix seconds. */

const day = 24 * 60 * 60;
/** Days until evidence is due, which ends at midnight UTC. */
const responseDays = 9;
/** An inquiry closes if it is not escalated within this time, in seconds. */
const inquiryLifetime = 120 * day;
/** Time from the submission of evidence to the decision, in seconds. */
export const REVIEW_TIME = 5;

/** Stripe's reasons of disputes about card payments. */
export const disputeReasons = [
	"credit_not_processed",
	"duplicate",
	"fraudulent",
	"general",
	"product_not_received",
	"product_unacceptable",
	"subscription_canceled",
	"unrecognized",
] as const;

export const textFields = [
	"access_activity_log",
	"billing_address",
	"cancellation_policy_disclosure",
	"cancellation_rebuttal",
	"customer_email_address",
	"customer_name",
	"customer_purchase_ip",
	"duplicate_charge_explanation",
	"duplicate_charge_id",
	"product_description",
	"refund_policy_disclosure",
	"refund_refusal_explanation",
	"service_date",
	"shipping_address",
	"shipping_carrier",
	"shipping_date",
	"shipping_tracking_number",
	"uncategorized_text",
] as const;

export const fileFields = [
	"cancellation_policy",
	"customer_communication",
	"customer_signature",
	"duplicate_charge_documentation",
	"receipt",
	"refund_policy",
	"service_documentation",
	"shipping_documentation",
	"uncategorized_file",
] as const;

type Field = (typeof textFields)[number] | (typeof fileFields)[number];
export type EvidenceChange = Partial<Record<Field, string | null>>;

/** The networks' codes of Stripe's reasons. */
const networkReasonCodes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	visa: {
		credit_not_processed: "13.6",
		duplicate: "12.6",
		fraudulent: "10.4",
		noncompliant: "C030",
		product_not_received: "13.1",
		product_unacceptable: "13.3",
		subscription_canceled: "13.2",
		unrecognized: "10.4",
	},
	mastercard: {
		credit_not_processed: "4860",
		duplicate: "4834",
		fraudulent: "4837",
		product_not_received: "4855",
		product_unacceptable: "4853",
		subscription_canceled: "4841",
		unrecognized: "4837",
	},
};

/** Creates the dispute of `amount` minor units of a charge. The funds are not yet withdrawn. */
export function newDispute(
	{ reason, caseType, eligibility }: DisputePlan,
	charge: Stripe.Charge,
	amount: number,
	now: number,
): Stripe.Dispute {
	const brand = charge.payment_method_details?.card?.brand ?? "unknown";
	const isInquiry = caseType === "inquiry";
	const code = networkReasonCode(brand, reason, isInquiry);
	return {
		id: newId("du_"),
		object: "dispute",
		amount,
		balance_transactions: [],
		charge: charge.id,
		created: now,
		currency: charge.currency,
		enhanced_eligibility_types: eligibility ? [eligibility] : [],
		evidence: {
			...noEvidence,
			enhanced_evidence:
				eligibility === undefined || eligibility === "visa_compelling_evidence_3"
					? {}
					: { [eligibility]: { fee_acknowledged: false } },
		},
		evidence_details: {
			due_by: dueBy(now),
			enhanced_eligibility: eligibility ? requiredFor(eligibility) : {},
			has_evidence: false,
			past_due: false,
			submission_count: 0,
			submission_method: "not_submitted",
		},
		intended_submission_method: null,
		is_charge_refundable: isInquiry,
		livemode: false,
		metadata: {},
		network_reason_code: code,
		payment_intent: typeof charge.payment_intent === "string" ? charge.payment_intent : null,
		payment_method_details: {
			type: "card",
			card: { brand, case_type: caseType, network: brand, network_reason_code: code },
		},
		reason,
		status: isInquiry ? "warning_needs_response" : "needs_response",
	};
}

const noEvidence: Record<Field, null> = {
	access_activity_log: null,
	billing_address: null,
	cancellation_policy: null,
	cancellation_policy_disclosure: null,
	cancellation_rebuttal: null,
	customer_communication: null,
	customer_email_address: null,
	customer_name: null,
	customer_purchase_ip: null,
	customer_signature: null,
	duplicate_charge_documentation: null,
	duplicate_charge_explanation: null,
	duplicate_charge_id: null,
	product_description: null,
	receipt: null,
	refund_policy: null,
	refund_policy_disclosure: null,
	refund_refusal_explanation: null,
	service_date: null,
	service_documentation: null,
	shipping_address: null,
	shipping_carrier: null,
	shipping_date: null,
	shipping_documentation: null,
	shipping_tracking_number: null,
	uncategorized_file: null,
	uncategorized_text: null,
};

function networkReasonCode(brand: string, reason: string, isInquiry: boolean): string | null {
	const code = networkReasonCodes[brand]?.[reason] ?? null;
	return isInquiry ? (code?.split(".")[0] ?? null) : code;
}

function requiredFor(
	eligibility: NonNullable<DisputePlan["eligibility"]>,
): Stripe.Dispute.EvidenceDetails.EnhancedEligibility {
	if (eligibility !== "visa_compelling_evidence_3")
		return { [eligibility]: { status: "requires_fee_acknowledgement" } };
	return {
		visa_compelling_evidence_3: {
			required_actions: [
				"missing_customer_identifiers",
				"missing_disputed_transaction_description",
				"missing_merchandise_or_services",
				"missing_prior_undisputed_transaction_description",
				"missing_prior_undisputed_transactions",
			],
			status: "requires_action",
		},
	};
}

function dueBy(now: number): number {
	return (Math.floor(now / day) + responseDays) * day - 1;
}

export function isInquiry({ status }: Stripe.Dispute): boolean {
	return status.startsWith("warning_");
}

/** Returns whether the dispute is waiting for evidence. */
export function needsResponse({ status }: Stripe.Dispute): boolean {
	return status === "needs_response" || status === "warning_needs_response";
}

export function isClosed({ status }: Stripe.Dispute): boolean {
	return ["won", "lost", "warning_closed"].includes(status);
}

/** Returns the dispute with staged evidence. */
export function withEvidence(dispute: Stripe.Dispute, change: EvidenceChange): Stripe.Dispute {
	const evidence = { ...dispute.evidence, ...change };
	const has_evidence = [...textFields, ...fileFields].some((field) => evidence[field] !== null);
	return { ...dispute, evidence, evidence_details: { ...dispute.evidence_details, has_evidence } };
}

/** Returns a compliance dispute with its fee acknowledged. */
export function withFeeAcknowledged(
	dispute: Stripe.Dispute,
	compliance: "mastercard_compliance" | "visa_compliance",
): Stripe.Dispute {
	const { evidence, evidence_details } = dispute;
	return {
		...dispute,
		evidence: { ...evidence, enhanced_evidence: { [compliance]: { fee_acknowledged: true } } },
		evidence_details: { ...evidence_details, enhanced_eligibility: { [compliance]: { status: "fee_acknowledged" } } },
	};
}

/** Returns the dispute under review, with its evidence submitted. */
export function submitted(dispute: Stripe.Dispute): Stripe.Dispute {
	const { evidence_details } = dispute;
	return {
		...dispute,
		evidence_details: {
			...evidence_details,
			submission_count: evidence_details.submission_count + 1,
			submission_method: "manual",
		},
		status: isInquiry(dispute) ? "warning_under_review" : "under_review",
	};
}

/** Returns the dispute that the issuer has decided for or against the account. An inquiry is only closed. */
export function decided(dispute: Stripe.Dispute, status: "won" | "lost"): Stripe.Dispute {
	if (isInquiry(dispute)) return { ...dispute, status: "warning_closed" };
	return { ...dispute, is_charge_refundable: status === "won", status };
}

/** Returns the chargeback that follows an inquiry. */
function escalated(dispute: Stripe.Dispute, now: number): Stripe.Dispute {
	const card = dispute.payment_method_details?.card;
	const code = networkReasonCode(card?.brand ?? "unknown", dispute.reason, false);
	const { evidence_details, payment_method_details } = dispute;
	return {
		...dispute,
		evidence_details: { ...evidence_details, due_by: dueBy(now), submission_method: "not_submitted" },
		is_charge_refundable: false,
		network_reason_code: code,
		...(payment_method_details && card
			? {
					payment_method_details: {
						...payment_method_details,
						card: { ...card, case_type: "chargeback", network_reason_code: code },
					},
				}
			: {}),
		status: "needs_response",
	};
}

/** Returns the dispute as it is at `now`: decided if its review has ended with one of Stripe's evidence values for
 *  tests, lost or past due if no evidence was submitted in time, or unchanged. */
export function reconsidered(dispute: Stripe.Dispute, now: number): Stripe.Dispute {
	const { evidence, evidence_details } = dispute;
	if (isClosed(dispute)) return dispute;
	if (isInquiry(dispute) && now >= dispute.created + inquiryLifetime) return { ...dispute, status: "warning_closed" };
	if (!needsResponse(dispute)) {
		if (evidence.uncategorized_text === "winning_evidence") return decided(dispute, "won");
		if (evidence.uncategorized_text === "losing_evidence") return decided(dispute, "lost");
		const isEscalated = evidence.uncategorized_text === "escalate_inquiry_evidence" && isInquiry(dispute);
		return isEscalated ? escalated(dispute, now) : dispute;
	}
	if (evidence_details.past_due || now <= Number(evidence_details.due_by)) return dispute;
	const late = { ...dispute, evidence_details: { ...evidence_details, past_due: true } };
	return isInquiry(late) ? late : decided(late, "lost");
}

/** Returns the times at which an open dispute changes by itself, in Unix seconds. */
export function deadlinesOf(dispute: Stripe.Dispute): number[] {
	const due = Number(dispute.evidence_details.due_by) + 1;
	return isInquiry(dispute) ? [due, dispute.created + inquiryLifetime] : [due];
}

/** Creates the issuer's warning that a charge may be fraudulent. */
export function newEarlyFraudWarning(charge: Stripe.Charge, now: number): Stripe.Radar.EarlyFraudWarning {
	return {
		id: newId("issfr_"),
		object: "radar.early_fraud_warning",
		actionable: true,
		charge: charge.id,
		created: now,
		fraud_type: "made_with_stolen_card",
		livemode: false,
		...(typeof charge.payment_intent === "string" ? { payment_intent: charge.payment_intent } : {}),
	};
}
