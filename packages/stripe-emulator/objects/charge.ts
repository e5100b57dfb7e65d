import type Stripe from "stripe";
import { threeDSecureOf } from "./authentication.ts";
import type { Outcome } from "./cards.ts";
import { newId } from "./ids.ts";
import { requestsThreeDSecure } from "./payment-intent.ts";
import type { KeptPaymentMethod } from "./payment-method.ts";

/** Time until an uncaptured charge expires, in seconds. */
const AUTHORIZATION_TIME = 7 * 24 * 60 * 60;

/** Creates the charge of one payment attempt, which is not captured if the intent is captured manually.
 *  `isAuthenticated` is whether the cardholder has passed a challenge. `now` is in Unix seconds. */
export function newCharge(
	intent: Stripe.PaymentIntent,
	{ paymentMethod, outcome }: KeptPaymentMethod,
	{ isAuthenticated, now }: { isAuthenticated: boolean; now: number },
): Stripe.Charge {
	const { decline } = outcome;
	const { card, billing_details } = paymentMethod;
	const flow = isAuthenticated ? "challenge" : outcome.authentication === "frictionless" && "frictionless";
	const isFailed = outcome.authentication === "fails_on_request" && requestsThreeDSecure(intent);
	const threeDSecure = flow || isFailed ? threeDSecureOf(flow || null, card?.brand ?? null) : null;
	const isCaptured = !decline && intent.capture_method !== "manual";
	return {
		id: newId("ch_"),
		object: "charge",
		amount: intent.amount,
		amount_captured: isCaptured ? intent.amount : 0,
		amount_refunded: 0,
		application: null,
		application_fee: null,
		application_fee_amount: null,
		balance_transaction: null,
		billing_details,
		calculated_statement_descriptor: null,
		captured: isCaptured,
		created: now,
		currency: intent.currency,
		customer: intent.customer,
		description: intent.description,
		disputed: false,
		failure_balance_transaction: null,
		failure_code: decline?.code ?? null,
		failure_message: decline?.message ?? null,
		fraud_details: {},
		livemode: false,
		metadata: intent.metadata,
		on_behalf_of: null,
		outcome: chargeOutcome(outcome),
		paid: !decline,
		payment_intent: intent.id,
		payment_method: paymentMethod.id,
		payment_method_details: {
			type: "card",
			card: {
				amount_authorized: decline ? null : intent.amount,
				authorization_code: null,
				brand: card?.brand ?? null,
				...(decline || isCaptured ? {} : { capture_before: now + AUTHORIZATION_TIME }),
				checks: checksOf(outcome, billing_details),
				country: card?.country ?? null,
				electronic_commerce_indicator: threeDSecure?.electronic_commerce_indicator ?? null,
				exp_month: card?.exp_month ?? 0,
				exp_year: card?.exp_year ?? 0,
				fingerprint: card?.fingerprint ?? null,
				funding: card?.funding ?? null,
				installments: null,
				last4: card?.last4 ?? null,
				mandate: null,
				network: card?.brand ?? null,
				network_transaction_id: null,
				regulated_status: null,
				three_d_secure: threeDSecure,
				transaction_link_id: null,
				wallet: null,
			},
		},
		receipt_email: intent.receipt_email,
		receipt_number: null,
		receipt_url: null,
		refunded: false,
		review: null,
		shipping: intent.shipping,
		source: null,
		source_transfer: null,
		statement_descriptor: null,
		statement_descriptor_suffix: intent.statement_descriptor_suffix,
		status: decline ? "failed" : "succeeded",
		transfer_data: null,
		transfer_group: null,
	} satisfies Stripe.Charge;
}

/** Returns the authorized charge with `amount` minor units captured. */
export function captured(charge: Stripe.Charge, amount: number): Stripe.Charge {
	return { ...charge, amount_captured: amount, captured: true };
}

/** Returns the captured charge with its balance transaction and receipt. */
export function settled(charge: Stripe.Charge, balanceTransaction: string, receipt_url: string | null): Stripe.Charge {
	return { ...charge, balance_transaction: balanceTransaction, receipt_url };
}

/** Returns the charge with a total of `amount` minor units refunded. */
export function refunded(charge: Stripe.Charge, amount: number): Stripe.Charge {
	return { ...charge, amount_refunded: amount, refunded: amount === charge.amount_captured };
}

/** Returns the result of the risk evaluation and, unless Radar blocked the payment, the issuer's response. */
function chargeOutcome({ blocked, decline, risk }: Outcome): Stripe.Charge.Outcome {
	const codes = {
		advice_code: null,
		network_advice_code: null,
		network_decline_code: null,
		risk_level: risk ?? "normal",
	};
	if (blocked) {
		return {
			...codes,
			network_status: "not_sent_to_network",
			reason: "highest_risk_level",
			seller_message: "Stripe blocked this payment as too risky.",
			type: "blocked",
		};
	}
	if (decline) {
		return {
			...codes,
			network_status: "declined_by_network",
			reason: decline.declineCode ?? decline.code,
			seller_message: "The bank did not return any further details with this decline.",
			type: "issuer_declined",
		};
	}
	return {
		...codes,
		network_status: "approved_by_network",
		reason: null,
		seller_message: "Payment complete.",
		type: "authorized",
	};
}

/** Returns the issuer's checks of the fields that were sent; null for a field that was not. */
function checksOf(
	{ cvcCheck, line1Check, postalCodeCheck }: Outcome,
	{ address }: Stripe.PaymentMethod.BillingDetails,
) {
	return {
		address_line1_check: address?.line1 ? (line1Check ?? "pass") : null,
		address_postal_code_check: address?.postal_code ? (postalCodeCheck ?? "pass") : null,
		cvc_check: cvcCheck,
	};
}
