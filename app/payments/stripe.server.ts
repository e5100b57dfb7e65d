import { timingSafeEqual } from "node:crypto";
import Stripe from "stripe";
import type { Services, StripeAccount } from "#app/services.server.ts";
import { paymentIntentIdOf } from "./client-secret.server.ts";
import type { Payments } from "./payments.server.ts";

/** Thrown where a payment would need keys that are not set. */
export class StripeNotConfigured extends Error {
	constructor(missing: string[]) {
		super(`No payments: set ${missing.join(", ")} (see .dev.vars.example).`);
	}
}

/** The Stripe SDK on this request's account. Every call ends: after `timeouts.stripeCall` milliseconds, twice at most.
 *  Throws StripeNotConfigured when the shop has no keys. */
export function openStripe({ stripe: account, timeouts }: Services): { stripe: Stripe; account: StripeAccount } {
	if ("missing" in account) throw new StripeNotConfigured(account.missing);
	const stripe = new Stripe(account.secretKey, {
		httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) =>
			repeatable(account.fetch(input, init)),
		),
		timeout: timeouts.stripeCall,
		maxNetworkRetries: 1,
		telemetry: false,
	});
	return { stripe, account };
}

/** Has the SDK repeat what was refused with 429, which it does of itself for conflicts and 5xx only. */
async function repeatable(answer: Promise<Response>): Promise<Response> {
	const response = await answer;
	if (response.status !== 429) return response;
	const headers = new Headers(response.headers);
	headers.set("Stripe-Should-Retry", "true");
	return new Response(response.body, { status: 429, headers });
}

/** The PaymentIntent that a client secret opens, or null when there is none, it is another's, or it is another
 *  shop's. Knowing the secret is the proof of being its payer. */
export async function findPaymentIntent(
	{ stripe, account }: Pick<Payments, "stripe" | "account">,
	clientSecret: string,
): Promise<Stripe.PaymentIntent | null> {
	const intent = await retrievePaymentIntent(stripe, paymentIntentIdOf(clientSecret));
	if (intent?.metadata["shop"] !== account.shopId) return null;
	return sameText(intent.client_secret ?? "", clientSecret) ? intent : null;
}

/** The PaymentIntent as Stripe has it now, with its charge, which tells whether it was refunded; null when there is none
 *  of that id. */
export async function retrievePaymentIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | null> {
	try {
		return await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
	} catch (error) {
		if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") return null;
		throw error;
	}
}

/** Compares two secrets in constant time. */
export function sameText(a: string, b: string): boolean {
	const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
	return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
