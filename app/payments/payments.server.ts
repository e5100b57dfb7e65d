import { notifyFeed } from "#app/orders/feed.server.ts";
import type { Services } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { openStripe, type StripeClient } from "./stripe.server.ts";

/** The services that the payment functions use. */
export interface Payments extends StripeClient {
	/** D1's primary, never a replica. */
	primary: Database;
	/** Unix seconds. */
	now(): number;
	/** Notifies a customer's open pages that their orders may have changed. Does nothing for a guest (null). Never
	 *  rejects. */
	notifyFeed(userId: string | null): Promise<void>;
}

/** Throws StripeNotConfigured if Stripe keys are missing or invalid. */
export function openPayments(services: Services, primary: Database): Payments {
	return {
		...openStripe(services),
		primary,
		now: services.now,
		notifyFeed: (userId) => notifyFeed(services, userId),
	};
}
