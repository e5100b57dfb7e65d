import type Stripe from "stripe";
import { notifyFeed } from "#app/orders/feed.server.ts";
import type { Outside, StripeAccount } from "#app/outside.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { openStripe } from "./stripe.server.ts";

/** What everything about money works with. */
export interface Payments {
	stripe: Stripe;
	account: StripeAccount;
	/** D1's primary, never a replica. */
	primary: Database;
	/** Unix seconds. */
	now(): number;
	/** Notifies a customer's open pages that their orders have changed; a guest, null, has none. Never rejects. */
	notifyFeed(userId: string | null): Promise<void>;
}

/** Throws StripeNotConfigured when the shop has no keys. */
export function openPayments(outside: Outside, primary: Database): Payments {
	return {
		...openStripe(outside),
		primary,
		now: outside.now,
		notifyFeed: (userId) => notifyFeed(outside, userId),
	};
}
