import type { PaymentIntent, PaymentIntentResult } from "@stripe/stripe-js";
import { baseUrl } from "./base-url.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Result } from "./messages.ts";
import { get, noResponse, paymentIntentId } from "./payment-api.ts";
import { authenticate } from "./three-d-secure-dialog.ts";

/** Takes a shopper through what a confirmed intent waits for, and resolves with what became of the payment. */
export async function takeNextAction(key: string, intent: PaymentIntent): Promise<PaymentIntentResult> {
	if (intent.status !== "requires_action") return { paymentIntent: intent };
	const { page, source } = threeDSecureOf(intent);
	const clientSecret = intent.client_secret ?? "";
	const reached = await authenticate(page, { key, clientSecret, source });
	if (!reached) return { error: { ...noResponse(), payment_intent: intent } };
	const { done: after, error } = await retrieve(key, clientSecret);
	if (error) return { error };
	if (after.status === "requires_payment_method" && after.last_payment_error) {
		return { error: { ...after.last_payment_error, payment_intent: after } };
	}
	// The bank has been told nothing: what the shopper chose did not get through.
	if (after.status === "requires_action") return { error: { ...noResponse(), payment_intent: after } };
	return { paymentIntent: after };
}

/** The same for an intent that a server has confirmed. Rejects with an IntegrationError when it waits for nothing. */
export async function handleAction(caller: string, key: string, clientSecret: string): Promise<PaymentIntentResult> {
	const { done: intent, error } = await retrieve(key, clientSecret);
	if (error) return { error };
	if (intent.status === "requires_action") return takeNextAction(key, intent);
	throw new IntegrationError(`${caller}: The PaymentIntent supplied is not in the requires_action state.`);
}

export async function retrieve(key: string, clientSecret: string): Promise<Result<PaymentIntent>> {
	return get(`payment_intents/${requireId(clientSecret)}`, { key, client_secret: clientSecret });
}

export function requireId(clientSecret: string): string {
	const id = typeof clientSecret === "string" && paymentIntentId(clientSecret);
	if (id) return id;
	throw new IntegrationError("A client secret looks like pi_…_secret_…; this value does not.");
}

function threeDSecureOf({ next_action: action }: PaymentIntent): { page: string; source: string } {
	const sdk: Record<string, unknown> = { ...action?.use_stripe_sdk };
	const { type, stripe_js: page, source } = sdk;
	if (type === "three_d_secure_redirect" && typeof page === "string" && typeof source === "string") {
		return { page: new URL(page, baseUrl).href, source };
	}
	throw new IntegrationError(`The Stripe emulator cannot handle a next action of type ${action?.type}.`);
}
