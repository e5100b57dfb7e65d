import Stripe from "stripe";
import type { Services, StripeAccount } from "#app/services.server.ts";
import { paymentIntentIdOf } from "./api.server.ts";
import { sameText } from "./signature.server.ts";

export interface StripeClient {
	stripe: Stripe;
	account: StripeAccount;
}

/** Thrown when Stripe keys are missing or invalid. */
export class StripeNotConfigured extends Error {
	constructor(missing: string[]) {
		super(`No payments: set ${missing.join(", ")} (see .dev.vars.example).`);
	}
}

/** Creates a Stripe SDK client. A call makes at most two attempts, each with a timeout of `timeouts.stripeCall`
 *  milliseconds. Throws StripeNotConfigured if Stripe keys are missing or invalid. */
export function openStripe({ stripe: account, timeouts }: Services): StripeClient {
	if ("missing" in account) throw new StripeNotConfigured(account.missing);
	const stripe = new Stripe(account.secretKey, {
		httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) =>
			retry429(account.fetch(input, init)),
		),
		timeout: timeouts.stripeCall,
		maxNetworkRetries: 1,
		telemetry: false,
	});
	return { stripe, account };
}

/** Makes the SDK retry 429s too; by default, it retries only 409 and 5xx. */
async function retry429(pending: Promise<Response>): Promise<Response> {
	const response = await pending;
	if (response.status !== 429) return response;
	const headers = new Headers(response.headers);
	headers.set("Stripe-Should-Retry", "true");
	return new Response(response.body, { status: 429, headers });
}

/** Returns the PaymentIntent with this client secret, or null if this shop has none. The secret authenticates the
 *  payer. */
export async function findPaymentIntent(
	{ stripe, account }: StripeClient,
	clientSecret: string,
): Promise<Stripe.PaymentIntent | null> {
	const intent = await retrievePaymentIntent(stripe, paymentIntentIdOf(clientSecret));
	if (intent?.metadata["shop"] !== account.shopId) return null;
	return sameText(intent.client_secret ?? "", clientSecret) ? intent : null;
}

/** Returns a PaymentIntent's current state, or null if it does not exist. Includes the latest charge, which shows
 *  whether it was refunded. */
export async function retrievePaymentIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | null> {
	try {
		return await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
	} catch (error) {
		if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") return null;
		throw error;
	}
}
