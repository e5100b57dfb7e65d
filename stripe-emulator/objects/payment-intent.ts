import type Stripe from "stripe";
import { ApiError, docUrl, unexpectedState } from "../api/errors.ts";
import { newId } from "./ids.ts";
import type { KeptPaymentMethod } from "./payment-method.ts";

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

function given<Value>(asked: Value | null | undefined, otherwise: Value | null): Value | null {
	return asked === undefined ? otherwise : asked;
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

/** Charges the card of an intent that `withPaymentMethod` has made ready. A declined card leaves the intent open for
 *  another one; the error to answer comes along with it. */
export function charged(
	intent: Stripe.PaymentIntent,
	{ paymentMethod, outcome }: KeptPaymentMethod,
): { intent: Stripe.PaymentIntent; error?: ApiError } {
	const charge = newId("ch_");
	if (outcome.result === "approved") {
		return {
			intent: {
				...intent,
				amount_received: intent.amount,
				last_payment_error: null,
				latest_charge: charge,
				status: "succeeded",
			},
		};
	}
	const { code, declineCode, message, param } = outcome.decline;
	const error = {
		type: "card_error",
		charge,
		code,
		...(declineCode ? { decline_code: declineCode } : {}),
		doc_url: docUrl(code),
		message,
		...(param ? { param } : {}),
		payment_method: paymentMethod,
	} as const;
	const open: Stripe.PaymentIntent = {
		...intent,
		last_payment_error: error,
		latest_charge: charge,
		payment_method: null,
		status: "requires_payment_method",
	};
	return { intent: open, error: new ApiError(402, { ...error, payment_intent: open }) };
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
