import { createContext } from "react-router";

/** Everything that one request may reach outside its own code, and the clock. The entry of a Worker creates it for
 *  each request. The local Worker wraps its parts to inject faults and to move the clock. */
export interface Services {
	/** Unix seconds. */
	now(): number;
	d1: D1Database;
	stripe: StripeAccount | MissingKeys;
	/** The customer's feed. */
	orderFeed(userId: string): Feed;
	/** Cloudflare's rate limiters. Their limits per minute are in wrangler.toml. */
	rateLimits: { address: RateLimit; account: RateLimit; order: RateLimit };
	timeouts: Timeouts;
	/** The notice at the top of every page, which a public demo has. */
	notice?: string | undefined;
}

/** The feed of a customer's open pages (see orders/order-feed.server.ts). */
export interface Feed {
	fetch(request: Request): Promise<Response>;
	notify(): Promise<void>;
	disconnect(session: string): Promise<void>;
}

/** How to reach Stripe, or another server with its API. */
export interface StripeAccount {
	secretKey: string;
	publishableKey: string;
	/** Verifies the signature of webhooks. */
	webhookSecret: string;
	/** Sends the SDK's requests. */
	fetch: typeof fetch;
	/** Where the browser loads Stripe.js from; null is Stripe's own address. */
	scriptUrl: string | null;
	/** Sources that Stripe.js needs in the Content-Security-Policy. */
	sources: { script: string[]; frame: string[]; connect: string[] };
	/** Is in the metadata of every PaymentIntent, so that shops can share a Stripe account. */
	shopId: string;
}

/** Names of the variables that must be set before payments can be taken, and what is wrong with each. */
export interface MissingKeys {
	missing: string[];
}

/** Milliseconds. Tests set their own. */
export interface Timeouts {
	/** All the work of a request about money. When it expires, the response is "being checked" or "not charged". */
	request: number;
	/** A whole request. The browser gives up a second later. */
	response: number;
	/** One run of the cron. */
	cron: number;
	/** One attempt of a call to Stripe. The SDK retries once. */
	stripeCall: number;
	/** One call to a customer's feed. */
	feed: number;
	/** One call to a rate limiter. */
	rateLimit: number;
	/** How long a sign-in waits in the queue of password hashes before it gets a 429. */
	hashQueue: number;
}

export const servicesContext = createContext<Services>();
