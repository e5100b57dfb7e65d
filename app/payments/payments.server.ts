import { notifyFeed } from "#app/orders/feed.server.ts";
import type { Services } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { openStripe, type StripeClient } from "./stripe.server.ts";

/** The services that payments need. */
export interface Payments extends StripeClient {
	/** Never a replica. */
	primary: Database;
	/** Unix seconds. */
	now(): number;
	/** Notifies a customer's open pages that their orders have changed. A guest, null, has none. Never rejects. */
	notifyFeed(userId: string | null): Promise<void>;
}

/** Throws StripeNotConfigured when the shop has no keys. */
export function openPayments(services: Services, primary: Database): Payments {
	return {
		...openStripe(services),
		primary,
		now: services.now,
		notifyFeed: (userId) => notifyFeed(services, userId),
	};
}
