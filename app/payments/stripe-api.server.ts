import Stripe from "stripe";
import type { Services, StripeAccount } from "#app/http/services.server.ts";
import { notifyFeed } from "#app/orders/feed.server.ts";
import type { Database } from "#drizzle/db.server.ts";

/** The version of Stripe's API. A new version of the SDK requires another one, also of the webhook endpoint and, by its
 *  name, of Stripe.js, which @stripe/stripe-js loads. */
export const apiVersion = "2026-10-28.endive";

/** The services that the payment functions use. */
export interface Payments {
	stripe: Stripe;
	account: StripeAccount;
	/** D1's primary, never a replica. */
	primary: Database;
	now(): number;
	/** Notifies a customer's pages after the response (see orders/feed.server.ts). */
	notifyFeed(userId: string | null): void;
	/** Lets work that never rejects continue after the response. */
	waitUntil(work: Promise<void>): void;
}

/** What belongs to one request. */
export interface Opened extends Pick<Payments, "waitUntil"> {
	services: Pick<Services, "stripe" | "timeouts" | "now" | "orderFeed">;
	databases: { readonly primary: Database };
}

/** Opens the services of a payment. A call to Stripe makes at most two attempts, each with a timeout of
 *  `timeouts.stripeCall` milliseconds (http/timeout.server.ts). Throws if Stripe keys are missing. */
export function openPayments({ services, databases, waitUntil }: Opened): Payments {
	const { stripe: account, timeouts, now } = services;
	if ("missing" in account) throw new Error(`No payments: set ${account.missing.join(", ")} (see .dev.vars.example).`);
	const stripe = new Stripe(account.secretKey, {
		apiVersion,
		httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) =>
			retry429(account.fetch(input, init)),
		),
		timeout: timeouts.stripeCall,
		// with the same idempotency key, which the SDK creates for each POST
		maxNetworkRetries: 1,
		telemetry: false,
	});
	const notify: Payments["notifyFeed"] = (userId) => waitUntil(notifyFeed(services, userId));
	return { stripe, account, primary: databases.primary, now, notifyFeed: notify, waitUntil };
}

/** Runs `work` outside a browser's request, such as for the cron. Resolves once what continues after it has ended. */
export async function withPayments<Result>(
	services: Opened["services"],
	primary: Database,
	work: (payments: Payments) => Promise<Result>,
): Promise<Result> {
	const continuing: Promise<void>[] = [];
	const waitUntil = (work: Promise<void>) => void continuing.push(work);
	return work(openPayments({ services, databases: { primary }, waitUntil })).finally(() => Promise.all(continuing));
}

/** Makes the SDK retry 429s too, unless Stripe says whether to retry; by default, it retries only 409 and 5xx. */
async function retry429(pending: Promise<Response>): Promise<Response> {
	const response = await pending;
	if (response.status !== 429 || response.headers.has("Stripe-Should-Retry")) return response;
	const headers = new Headers(response.headers);
	headers.set("Stripe-Should-Retry", "true");
	return new Response(response.body, { status: 429, headers });
}
