import type Stripe from "stripe";
import { ApiError, authenticationError, declineError, invalidRequest, unexpectedState } from "../api/errors.ts";
import type { Decline } from "./cards.ts";
import { formatAmount, requireAmount } from "./currencies.ts";
import { updated, updatedMetadata } from "./update.ts";

/** PaymentIntent state transitions. Each function returns a new intent and mutates nothing. Amounts are in minor units, and
 *  times are in Unix seconds. */

/** Fields that an update may change. Undefined keeps a field, null unsets it. */
export interface IntentDetails {
	amount?: number | undefined;
	captureMethod?: Stripe.PaymentIntent.CaptureMethod | undefined;
	currency?: string | undefined;
	customer?: string | undefined;
	description?: string | null | undefined;
	metadata?: Map<string, string> | null | undefined;
	receiptEmail?: string | null | undefined;
	requestThreeDSecure?: "any" | "automatic" | "challenge" | undefined;
	setupFutureUsage?: "off_session" | "on_session" | null | undefined;
	shipping?: Stripe.PaymentIntent.Shipping | null | undefined;
	statementDescriptorSuffix?: string | null | undefined;
}

const payable = ["requires_payment_method", "requires_confirmation", "requires_action"];
const cancelable = ["requires_payment_method", "requires_capture", "requires_confirmation", "requires_action"];

/** Returns the intent with updated details. Throws payment_intent_unexpected_state if the update sets the amount or
 *  currency of an intent that can no longer be paid, and an ApiError if the amount is not allowed in the currency or if
 *  the update replaces the customer. */
export function withDetails(intent: Stripe.PaymentIntent, details: IntentDetails): Stripe.PaymentIntent {
	for (const field of ["amount", "currency"] as const) {
		if (details[field] === undefined || payable.includes(intent.status)) continue;
		throw unexpectedState(
			`This PaymentIntent's ${field} could not be updated because it has a status of ${intent.status}. You may only update the ${field} of a PaymentIntent with one of the following statuses: ${payable.join(", ")}.`,
			intent,
		);
	}
	if (details.customer !== undefined && intent.customer !== null && details.customer !== intent.customer) {
		throw invalidRequest(
			"You cannot modify `customer` on a PaymentIntent once it already has been set. To use another Customer, cancel this PaymentIntent and create a new one.",
		);
	}
	const { amount = intent.amount, currency = intent.currency } = details;
	if (details.amount !== undefined || details.currency !== undefined) requireAmount(amount, currency);
	return {
		...intent,
		amount,
		capture_method: details.captureMethod ?? intent.capture_method,
		currency,
		customer: details.customer ?? intent.customer,
		description: updated(details.description, intent.description),
		last_payment_error: null,
		metadata: updatedMetadata(details.metadata, intent.metadata),
		payment_method_options: withThreeDSecure(intent.payment_method_options, details.requestThreeDSecure),
		receipt_email: updated(details.receiptEmail, intent.receipt_email),
		setup_future_usage: updated(details.setupFutureUsage, intent.setup_future_usage),
		shipping: updated(details.shipping, intent.shipping),
		statement_descriptor_suffix: updated(details.statementDescriptorSuffix, intent.statement_descriptor_suffix),
	};
}

function withThreeDSecure(
	options: Stripe.PaymentIntent.PaymentMethodOptions | null,
	requested: IntentDetails["requestThreeDSecure"],
) {
	if (requested === undefined || !options?.card) return options;
	return { ...options, card: { ...options.card, request_three_d_secure: requested } };
}

/** Returns whether the intent requests 3-D Secure even if the card does not require it. */
export function requestsThreeDSecure({ payment_method_options: options }: Stripe.PaymentIntent): boolean {
	return (options?.card?.request_three_d_secure ?? "automatic") !== "automatic";
}

/** Throws payment_intent_unexpected_state unless the intent can still be paid. */
export function requireConfirmable(intent: Stripe.PaymentIntent): void {
	if (payable.includes(intent.status)) return;
	const done = "because it has already succeeded after being previously confirmed";
	const other = `because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${payable.join(", ")}`;
	throw unexpectedState(
		`You cannot confirm this PaymentIntent ${intent.status === "succeeded" ? done : other}.`,
		intent,
	);
}

/** Returns the intent in `requires_confirmation`, with a payment method attached. */
export function withPaymentMethod(intent: Stripe.PaymentIntent, paymentMethodId: string): Stripe.PaymentIntent {
	requireConfirmable(intent);
	return { ...intent, payment_method: paymentMethodId, status: "requires_confirmation", next_action: null };
}

/** Returns the intent in `requires_action`, with a 3-D Secure challenge as its next action. */
export function awaitingAuthentication(
	intent: Stripe.PaymentIntent,
	next_action: Stripe.PaymentIntent.NextAction,
): Stripe.PaymentIntent {
	return { ...intent, next_action, status: "requires_action" };
}

/** Returns the intent in `processing`: its charge is approved but not yet captured. */
export function processing(intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
	return { ...intent, latest_charge: charge.id, next_action: null, status: "processing" };
}

/** Returns the intent in `requires_capture`: its charge is authorized, and the payment waits for `capture`. */
export function authorized(intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
	return {
		...intent,
		amount_capturable: charge.amount,
		last_payment_error: null,
		latest_charge: charge.id,
		next_action: null,
		status: "requires_capture",
	};
}

/** Throws an ApiError unless `amount` minor units of the intent can be captured. */
export function requireCapturable(intent: Stripe.PaymentIntent, amount: number | undefined): void {
	if (intent.status !== "requires_capture") {
		const done = "because it has already been captured";
		const other = `because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture`;
		throw unexpectedState(
			`This PaymentIntent could not be captured ${intent.status === "succeeded" ? done : other}.`,
			intent,
		);
	}
	if (amount === undefined || amount <= intent.amount_capturable) return;
	throw invalidRequest(
		`The amount_to_capture must be no more than the authorized amount, ${formatAmount(intent.amount_capturable, intent.currency)}.`,
		{ code: "amount_too_large", param: "amount_to_capture" },
	);
}

/** Returns the paid intent. `charge` is captured. */
export function succeeded(intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
	return {
		...intent,
		amount_capturable: 0,
		amount_received: charge.amount_captured,
		last_payment_error: null,
		latest_charge: charge.id,
		next_action: null,
		status: "succeeded",
	};
}

/** Returns the intent, ready for another payment method, and the 402 error of the declined charge. */
export function declined(
	intent: Stripe.PaymentIntent,
	charge: Stripe.Charge,
	method: Stripe.PaymentMethod,
	decline: Decline,
): { intent: Stripe.PaymentIntent; error: ApiError } {
	const error = { ...declineError(decline), charge: charge.id, payment_method: method };
	const open = reopened({ ...intent, latest_charge: charge.id }, error);
	return { intent: open, error: new ApiError(402, { ...error, payment_intent: open }) };
}

/** Returns the intent after a failed or abandoned authentication, ready for another payment method. */
export function unauthenticated(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): Stripe.PaymentIntent {
	return reopened(intent, authenticationError("payment_intent", method));
}

function reopened(
	intent: Stripe.PaymentIntent,
	error: Stripe.PaymentIntent.LastPaymentError & { message: string },
): Stripe.PaymentIntent {
	return {
		...intent,
		last_payment_error: error,
		next_action: null,
		payment_method: null,
		status: "requires_payment_method",
	};
}

/** Returns the canceled intent. Throws payment_intent_unexpected_state if it is processing, paid or already
 *  canceled. */
export function canceled(
	intent: Stripe.PaymentIntent,
	reason: Stripe.PaymentIntent.CancellationReason | null,
	now: number,
): Stripe.PaymentIntent {
	if (cancelable.includes(intent.status)) {
		return {
			...intent,
			amount_capturable: 0,
			canceled_at: now,
			cancellation_reason: reason,
			next_action: null,
			status: "canceled",
		};
	}
	throw unexpectedState(
		`You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancelable.join(", ")}.`,
		intent,
	);
}
