import type { PaymentIntent, PaymentIntentResult } from "@stripe/stripe-js";
import { bankUrl } from "./base-url.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Result } from "./messages.ts";
import { connectionError, get, paymentIntentId } from "./payment-api.ts";
import { authenticate } from "./three-d-secure-dialog.ts";

/** Handles a confirmed intent's next action, if any, and resolves to the resulting intent or error. */
export async function takeNextAction(key: string, intent: PaymentIntent): Promise<PaymentIntentResult> {
	if (intent.status !== "requires_action") return { paymentIntent: intent };
	const { page, source } = threeDSecureOf(intent);
	const clientSecret = intent.client_secret ?? "";
	const loaded = await authenticate(page, { key, clientSecret, source });
	if (!loaded) return { error: { ...connectionError(), payment_intent: intent } };
	const { done: after, error } = await retrieve(key, clientSecret);
	if (error) return { error };
	if (after.status === "requires_payment_method" && after.last_payment_error) {
		return { error: { ...after.last_payment_error, payment_intent: after } };
	}
	// the cardholder's choice never reached the bank
	if (after.status === "requires_action") return { error: { ...connectionError(), payment_intent: after } };
	return { paymentIntent: after };
}

export async function retrieve(key: string, clientSecret: string): Promise<Result<PaymentIntent>> {
	return get(`payment_intents/${requireId(clientSecret)}`, { key, client_secret: clientSecret });
}

export function requireId(clientSecret: string): string {
	const id = typeof clientSecret === "string" && paymentIntentId(clientSecret);
	if (id) return id;
	throw new IntegrationError("This value is not a client secret (pi_…_secret_…).");
}

function threeDSecureOf({ next_action: action }: PaymentIntent): { page: string; source: string } {
	const sdk: Record<string, unknown> = { ...action?.use_stripe_sdk };
	const { type, stripe_js: page, source } = sdk;
	if (type === "three_d_secure_redirect" && typeof page === "string" && typeof source === "string") {
		return { page: new URL(page, bankUrl).href, source };
	}
	throw new IntegrationError(`The Stripe emulator cannot handle a next action of type ${action?.type}.`);
}
