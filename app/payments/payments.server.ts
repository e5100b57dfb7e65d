import type Stripe from "stripe";
import { announce } from "#app/orders/feed.server.ts";
import type { Outside, StripeAccount } from "#app/outside.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { openStripe } from "./stripe.server.ts";

/** What everything about money works with. */
export interface Payments {
	stripe: Stripe;
	account: StripeAccount;
	/** D1 as it is, and not as a replica remembers it. */
	primary: Database;
	/** Unix seconds. */
	now(): number;
	/** Tells a customer's open pages that their orders have changed; of a guest, null, nobody is told. */
	announce(userId: string | null): Promise<void>;
}

/** Throws StripeNotConfigured when the shop has no keys. */
export function openPayments(outside: Outside, primary: Database): Payments {
	return {
		...openStripe(outside),
		primary,
		now: outside.now,
		announce: (userId) => announce(outside, userId),
	};
}
