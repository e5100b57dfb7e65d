import type { PaymentIntent, PaymentIntentResult, StripeError } from "@stripe/stripe-js";

const base = "/stripe-emulator/v1/payment_intents";

/** How long a payment may take before the shopper is told that nobody answers, in milliseconds. */
export const PATIENCE = 10_000;

/** The id in a client secret, or null for anything else. */
export function paymentIntentId(clientSecret: string): string | null {
	return /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(clientSecret)?.[1] ?? null;
}

/** Neither of these rejects: an error is part of the answer. */
export function postConfirmation(id: string, form: URLSearchParams): Promise<PaymentIntentResult> {
	return ask(`${base}/${id}/confirm`, { method: "POST", body: form });
}

export function getPaymentIntent(id: string, query: URLSearchParams): Promise<PaymentIntentResult> {
	return ask(`${base}/${id}?${query}`, {});
}

async function ask(url: string, init: RequestInit): Promise<PaymentIntentResult> {
	try {
		const response = await fetch(url, { ...init, credentials: "omit", signal: AbortSignal.timeout(PATIENCE) });
		const body: PaymentIntent | { error: StripeError } = await response.json();
		return "error" in body ? { error: body.error } : { paymentIntent: body };
	} catch {
		return { error: noAnswer() };
	}
}

/** The payment may have gone through all the same: only the account knows. */
export function noAnswer(): StripeError {
	return {
		type: "api_connection_error",
		message: "The payment provider does not answer. Check your internet connection and try again.",
	};
}
