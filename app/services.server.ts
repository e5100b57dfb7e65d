import { createContext } from "react-router";

/** Everything beyond the shop's own code that one request may reach, and the time. A Worker's entry makes it per
 *  request; another entry may wrap each part, which is how faults and clocks are played in tests. */
export interface Services {
	/** Unix seconds. */
	now(): number;
	d1: D1Database;
	stripe: StripeAccount | MissingKeys;
	/** The one feed of a customer. */
	orderFeed(userId: string): Feed;
	/** Counters of Cloudflare's, each with how many it lets through in a minute (see wrangler.toml). */
	rateLimits: { address: RateLimit; account: RateLimit; order: RateLimit };
	timeouts: Timeouts;
	/** What stands at the top of every page. Only a shop that is a demonstration has anything to say there. */
	notice?: string | undefined;
}

/** A customer's open pages, behind the Durable Object that holds their sockets (see orders/order-feed.server.ts). */
export interface Feed {
	fetch(request: Request): Promise<Response>;
	notify(): Promise<void>;
	disconnect(session: string): Promise<void>;
}

/** How to reach Stripe, or whatever speaks its API. */
export interface StripeAccount {
	secretKey: string;
	publishableKey: string;
	/** Proves that a webhook comes from Stripe. */
	webhookSecret: string;
	/** Carries the SDK's requests. */
	fetch: typeof fetch;
	/** Where the browser loads Stripe.js from; null means Stripe's own address, which `loadStripe` knows. */
	scriptUrl: string | null;
	/** What Stripe.js needs in the Content-Security-Policy. */
	sources: { script: string[]; frame: string[]; connect: string[] };
	/** Written into every PaymentIntent: shops that share a Stripe account leave each other's money alone. */
	shopId: string;
}

/** What has to be set before a payment can be taken: names of variables, with what is wrong about one that is set. */
export interface MissingKeys {
	missing: string[];
}

/** Milliseconds. Configuration, so that tests need not wait. */
export interface Timeouts {
	/** Everything that a request about money does: beyond it the answer is "being checked" or "not charged". */
	request: number;
	/** Any request at all, what goes before its action included. A browser gives up a second later. */
	response: number;
	/** One run of the cron. */
	cron: number;
	/** One call to Stripe; the SDK repeats it once. */
	stripeCall: number;
	/** One call to a customer's feed: nobody waits long for what is only news. */
	feed: number;
	/** One question to a rate limit. */
	rateLimit: number;
	/** How long one sign-in waits for its turn to hash a password, before it is refused with 429. */
	hashQueue: number;
}

export const servicesContext = createContext<Services>();
