import type { passwordCost } from "#app/auth/password.server.ts";
import type { timeouts } from "./timeout.server.ts";

/** The external services and the clock that one request uses. The entry of each Worker creates them for each request.
 *  The local Worker wraps them to inject faults and to advance the clock. */
export interface Services {
	now(): number;
	d1: D1Database;
	/** The Stripe account, or the names of the keys that must be set before payments can be taken. */
	stripe: StripeAccount | { missing: string[] };
	/** Returns the feed of a customer's open pages. */
	orderFeed(userId: string): Pick<ReturnType<Env["ORDER_FEED"]["getByName"]>, "fetch" | "notify" | "disconnect">;
	/** Cloudflare's rate limiters. Their limits per minute are in wrangler.toml. */
	rateLimits: { address: RateLimit; account: RateLimit; order: RateLimit };
	timeouts: typeof timeouts;
	/** The scrypt parameters of new password hashes. Tests set cheap ones. */
	passwordCost: typeof passwordCost;
	/** The notice at the top of every page of a public demo. */
	notice?: string | undefined;
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
