import type Stripe from "stripe";
import { ApiError, docUrl, unexpectedState } from "../api/errors.ts";
import type { Decline } from "./cards.ts";

/** The life of a PaymentIntent. Every function answers the intent as it is afterwards and changes none it was given;
 *  amounts are in cents and times in Unix seconds. */

/** What may be said about an intent at any time. Undefined leaves it as it is, null removes it. */
export interface IntentDetails {
	amount?: number | undefined;
	currency?: string | undefined;
	description?: string | null | undefined;
	metadata?: Map<string, string> | null | undefined;
	receiptEmail?: string | null | undefined;
	shipping?: Stripe.PaymentIntent.Shipping | null | undefined;
	statementDescriptorSuffix?: string | null | undefined;
}

const payable = ["requires_payment_method", "requires_confirmation", "requires_action"];
const cancelable = ["requires_payment_method", "requires_capture", "requires_confirmation", "requires_action"];

/** Throws payment_intent_unexpected_state for a new amount or currency when the money is no longer to be asked for. */
export function withDetails(intent: Stripe.PaymentIntent, details: IntentDetails): Stripe.PaymentIntent {
	for (const field of ["amount", "currency"] as const) {
		if (details[field] === undefined || payable.includes(intent.status)) continue;
		throw unexpectedState(
			`This PaymentIntent's ${field} could not be updated because it has a status of ${intent.status}. You may only update the ${field} of a PaymentIntent with one of the following statuses: ${payable.join(", ")}.`,
			intent,
		);
	}
	const metadata =
		details.metadata === null ? {} : { ...intent.metadata, ...Object.fromEntries(details.metadata ?? []) };
	return {
		...intent,
		amount: details.amount ?? intent.amount,
		currency: details.currency ?? intent.currency,
		description: given(details.description, intent.description),
		last_payment_error: null,
		metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== "")),
		receipt_email: given(details.receiptEmail, intent.receipt_email),
		shipping: given(details.shipping, intent.shipping),
		statement_descriptor_suffix: given(details.statementDescriptorSuffix, intent.statement_descriptor_suffix),
	};
}

function given<Value>(value: Value | null | undefined, otherwise: Value | null): Value | null {
	return value === undefined ? otherwise : value;
}

/** Throws payment_intent_unexpected_state when nothing more is to be paid. */
export function requireConfirmable(intent: Stripe.PaymentIntent): void {
	if (payable.includes(intent.status)) return;
	const done = "because it has already succeeded after being previously confirmed";
	const other = `because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${payable.join(", ")}`;
	throw unexpectedState(
		`You cannot confirm this PaymentIntent ${intent.status === "succeeded" ? done : other}.`,
		intent,
	);
}

/** A new payment method always asks for a new confirmation. */
export function withPaymentMethod(intent: Stripe.PaymentIntent, paymentMethodId: string): Stripe.PaymentIntent {
	requireConfirmable(intent);
	return { ...intent, payment_method: paymentMethodId, status: "requires_confirmation", next_action: null };
}

/** An intent that waits for the cardholder's bank. */
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

/** A charge has been approved and has not come through yet. */
export function processing(intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
	return { ...intent, latest_charge: charge.id, next_action: null, status: "processing" };
}

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

/** A declined card leaves the intent open for another one. The error to answer comes along. */
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

/** The cardholder's bank was not convinced, or was not asked. */
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

/** Throws payment_intent_unexpected_state for an intent that is paid or cancelled already. */
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
