import type Stripe from "stripe";
import { ApiError, docUrl, invalidRequest, unexpectedState } from "../errors.ts";
import { checkAmount } from "./amount.ts";
import type { Decline } from "./cards.ts";

/** PaymentIntent state transitions. Each function returns a new intent and mutates nothing. Amounts are in cents, and
 *  times are in Unix seconds. */

/** Fields that an update may change. Undefined keeps a field, null unsets it. */
export interface IntentDetails {
	amount?: number | undefined;
	currency?: string | undefined;
	description?: string | null | undefined;
	metadata?: Map<string, string> | null | undefined;
	receiptEmail?: string | null | undefined;
}

const payable = ["requires_payment_method", "requires_confirmation", "requires_action"];
const cancelable = ["requires_payment_method", "requires_capture", "requires_confirmation", "requires_action"];

/** Returns the intent with updated details and without its last error. Throws payment_intent_unexpected_state if the
 *  intent is canceled, or the update sets the amount or currency of an intent that can no longer be paid, and other
 *  errors if Stripe does not charge the amount. */
export function withDetails(intent: Stripe.PaymentIntent, details: IntentDetails): Stripe.PaymentIntent {
	for (const field of ["amount", "currency"] as const) {
		if (details[field] === undefined || payable.includes(intent.status)) continue;
		throw unexpectedState(
			`This PaymentIntent's ${field} could not be updated because it has a status of ${intent.status}. You may only update the ${field} of a PaymentIntent with one of the following statuses: ${payable.join(", ")}.`,
			intent,
		);
	}
	if (intent.status === "canceled") {
		throw unexpectedState("This PaymentIntent could not be updated because it has a status of canceled.", intent);
	}
	const { amount = intent.amount, currency = intent.currency } = details;
	checkAmount(amount, currency);
	return {
		...intent,
		amount,
		currency,
		description: updated(details.description, intent.description),
		last_payment_error: null,
		metadata: updatedMetadata(details.metadata, intent.metadata),
		receipt_email: updated(details.receiptEmail, intent.receipt_email),
	};
}

/** Returns the metadata with the changed keys. An empty value removes its key, and null removes every key. */
export function updatedMetadata(change: IntentDetails["metadata"], current: Stripe.Metadata): Stripe.Metadata {
	const metadata = change === null ? {} : { ...current, ...Object.fromEntries(change ?? []) };
	const kept = Object.entries(metadata).filter(([, value]) => value !== "");
	if (kept.length > 50) throw invalidRequest("Metadata can have up to 50 keys.", { param: "metadata" });
	return Object.fromEntries(kept);
}

function updated<Value>(change: Value | null | undefined, current: Value | null): Value | null {
	return change === undefined ? current : change;
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
export function awaitingAuthentication(intent: Stripe.PaymentIntent, authenticationId: string): Stripe.PaymentIntent {
	return {
		...intent,
		next_action: {
			type: "use_stripe_sdk",
			use_stripe_sdk: {
				type: "three_d_secure_redirect",
				stripe_js: "three-d-secure",
				source: authenticationId,
			},
		},
		status: "requires_action",
	};
}

/** Returns the intent in `processing`: its charge is approved but not yet captured. */
export function processing(intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
	return { ...intent, latest_charge: charge.id, next_action: null, status: "processing" };
}

/** Returns the intent in `succeeded`, with the amount of its charge received. */
export function succeeded(intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
	return {
		...intent,
		amount_received: charge.amount,
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
	{ code, declineCode, message, param }: Decline,
): { intent: Stripe.PaymentIntent; error: ApiError } {
	const error = {
		type: "card_error",
		charge: charge.id,
		code,
		...(declineCode ? { decline_code: declineCode } : {}),
		doc_url: docUrl(code),
		message,
		...(param ? { param } : {}),
		payment_method: method,
	} as const;
	const open = reopened({ ...intent, latest_charge: charge.id }, error);
	return { intent: open, error: new ApiError(402, { ...error, payment_intent: open }) };
}

/** Returns the intent after a failed or abandoned authentication, ready for another payment method. */
export function unauthenticated(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): Stripe.PaymentIntent {
	const code = "payment_intent_authentication_failure";
	return reopened(intent, {
		type: "invalid_request_error",
		code,
		doc_url: docUrl(code),
		message:
			"We are unable to authenticate your payment method. Please choose a different payment method and try again.",
		payment_method: method,
	});
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
		return { ...intent, canceled_at: now, cancellation_reason: reason, next_action: null, status: "canceled" };
	}
	throw unexpectedState(
		`You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancelable.join(", ")}.`,
		intent,
	);
}
