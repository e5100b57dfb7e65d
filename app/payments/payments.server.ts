import { notifyFeed } from "#app/orders/feed.server.ts";
import type { FeedChange, Services } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { openStripe, type StripeClient } from "./stripe.server.ts";

/** The services that the payment functions use. */
export interface Payments extends StripeClient {
	/** D1's primary, never a replica. */
	primary: Database;
	/** Unix seconds. */
	now(): number;
	/** Notifies a customer's open pages that their orders have changed. Skips a change that is not new if its pages have
	 *  been notified of it. Does nothing for a guest (null). Never rejects. */
	notifyFeed(userId: string | null, change?: FeedChange): Promise<void>;
}

/** Throws StripeNotConfigured if Stripe keys are missing or invalid. */
export function openPayments(services: Services, primary: Database): Payments {
	return {
		...openStripe(services),
		primary,
		now: services.now,
		notifyFeed: (userId, change) => notifyFeed(services, userId, change),
	};
}
