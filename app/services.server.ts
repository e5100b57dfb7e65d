import type { passwordCost } from "./auth/password.server.ts";
import { requestTimeout } from "./http/timeout.ts";

/** The external services and the clock that one request uses. The entry of each Worker creates them for each request.
 *  The local Worker wraps them to inject faults and to advance the clock. */
export interface Services {
	/** Unix seconds. */
	now(): number;
	d1: D1Database;
	/** The Stripe account, or the names of the keys that must be set before payments can be taken. */
	stripe: StripeAccount | { missing: string[] };
	/** Returns the feed of a customer. */
	orderFeed(userId: string): Feed;
	/** Cloudflare's rate limiters. Their limits per minute are in wrangler.toml. */
	rateLimits: { address: RateLimit; account: RateLimit; order: RateLimit };
	timeouts: typeof timeouts;
	/** The scrypt parameters of new password hashes. Tests set cheap ones. */
	passwordCost: typeof passwordCost;
	/** The notice at the top of every page of a public demo. */
	notice?: string | undefined;
}

/** The feed of a customer's open pages (see orders/order-feed.server.ts). */
interface Feed {
	fetch(request: Request): Promise<Response>;
	notify(): Promise<void>;
	disconnect(session: string): Promise<void>;
}

/** How to call Stripe, or another server that implements its API. */
export interface StripeAccount {
	secretKey: string;
	publishableKey: string;
	/** Verifies webhook signatures. */
	webhookSecret: string;
	/** Signs what the shop later trusts (see payments/shop-signature.server.ts). Stripe's secret key or, with the
	 *  emulator, a random key, because the emulator's secret key is public. */
	signingKey: string;
	/** Sends the SDK's requests. */
	fetch: typeof fetch;
	/** URL from which the browser loads Stripe.js; null for Stripe's own URL. */
	scriptUrl: string | null;
	/** Sources that Stripe.js needs in the Content-Security-Policy. */
	sources: { script: string[]; frame: string[]; connect: string[] };
	/** Stored in the metadata of every PaymentIntent, so that several shops can share a Stripe account. */
	shopId: string;
}

/** The timeouts of a deployed shop, in milliseconds. Tests set their own. */
export const timeouts = {
	/** Timeout of the work of an action or a loader that waits for D1 or Stripe. When it expires, the response is a 503
	 *  or, for a poll of a payment, `checking`. It leaves time for a call to Stripe with two attempts, and for D1. */
	work: 8000,
	/** Timeout of a response, once the request has been received. Receiving a body may take as long. */
	response: requestTimeout - 1000,
	/** Timeout of a read from D1 that a page can do without (see `readIfFast`). */
	read: 1500,
	/** Timeout of one cron run. */
	cron: 4 * 60_000,
	/** Timeout of one attempt of a call to Stripe. The SDK retries once. */
	stripeCall: 3000,
	/** Timeout of one call to a customer's feed. */
	feed: 1000,
	/** Timeout of one call to a rate limiter. */
	rateLimit: 1000,
	/** Maximum wait of a sign-in in the password hash queue. A sign-in that would wait longer returns 429. */
	hashQueue: 4000,
};
