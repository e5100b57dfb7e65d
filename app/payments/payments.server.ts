import Stripe from "stripe";
import { notifyFeed } from "#app/orders/feed.server.ts";
import { findOrder } from "#app/orders/orders.server.ts";
import type { Services, StripeAccount } from "#app/services.server.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import type { Database } from "#drizzle/db.server.ts";
import { sameText } from "./shop-signature.server.ts";

/** The version of Stripe's API. A new version of the SDK requires another one, also of the webhook endpoint. */
export const apiVersion = "2026-10-28.endive";

/** The services that the payment functions use. */
export interface Payments {
	stripe: Stripe;
	account: StripeAccount;
	/** D1's primary, never a replica. */
	primary: Database;
	/** Unix seconds. */
	now(): number;
	/** See `notifyFeed` in orders/feed.server.ts. */
	notifyFeed(userId: string | null): Promise<void>;
}

/** Opens the services of a payment. A call to Stripe makes at most two attempts, each with a timeout of
 *  `timeouts.stripeCall` milliseconds. Throws if Stripe keys are missing. */
export function openPayments(services: Services, primary: Database): Payments {
	const { stripe: account, timeouts, now } = services;
	if ("missing" in account) throw new Error(`No payments: set ${account.missing.join(", ")} (see .dev.vars.example).`);
	const stripe = new Stripe(account.secretKey, {
		apiVersion,
		httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) =>
			retry429(account.fetch(input, init)),
		),
		timeout: timeouts.stripeCall,
		maxNetworkRetries: 1,
		telemetry: false,
	});
	return { stripe, account, primary, now, notifyFeed: (userId) => notifyFeed(services, userId) };
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
	payments: Payments,
	clientSecret: string,
): Promise<Stripe.PaymentIntent | null> {
	const intent = await retrievePaymentIntent(payments.stripe, paymentIntentIdOf(clientSecret));
	if (!intent || !sameText(intent.client_secret ?? "", clientSecret)) return null;
	return (await isOurs(payments, intent)) ? intent : null;
}

/** Returns whether a payment is this shop's: its metadata has the shop's id, or D1 has its order, which was placed
 *  before SHOP_ID changed. */
export async function isOurs(
	{ account, primary }: Payments,
	{ id, metadata }: Pick<Stripe.PaymentIntent, "id" | "metadata">,
): Promise<boolean> {
	return metadata["shop"] === account.shopId || (await findOrder(primary, id)) !== null;
}

/** Returns a PaymentIntent's current state, with its latest charge, which shows whether it was refunded. Returns null
 *  if the account has no such payment, as for all of the shop's payments with the keys of another account or mode. */
export async function retrievePaymentIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | null> {
	try {
		return await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
	} catch (error) {
		if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") return null;
		throw error;
	}
}
