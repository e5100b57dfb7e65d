import { isRateLimited } from "#app/http/rate-limit.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { notifyFeed } from "#app/orders/feed.server.ts";
import { listOrders, type OrderPage, type OrderQuery } from "#app/orders/list-orders.server.ts";
import type { Services } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { fulfill } from "./fulfill.server.ts";
import { openPayments } from "./payments.server.ts";

/** A page of orders that is being read, and its query. */
export interface Listing {
	query: OrderQuery;
	page: Promise<OrderPage>;
}

/** Returns a page of the session's orders, after claiming the guest's orders and fulfilling the newest unpaid one.
 *  Returns null if the session has ended. Skips fulfilling if `isReadOnly`, or if the order or the client's `address`
 *  has been polled too often. `checking` is true while the outcome of that order's payment is unknown or still being
 *  resolved. */
export async function listFulfilledOrders(
	services: Services,
	primary: Database,
	{ query, page }: Listing,
	{ isReadOnly, address }: { isReadOnly: boolean; address: string },
): Promise<(OrderPage & { checking: boolean }) | null> {
	const listed = await page;
	const { customerId, hasClaimed, waiting } = listed;
	if (hasClaimed) await notifyFeed(services, customerId);
	if (!customerId) return null;
	if (waiting === null || isReadOnly) return { ...listed, checking: waiting !== null };
	const outcome = await withFallback(
		services.timeouts.request,
		async () => {
			for (const key of [waiting, `from ${address}`])
				if (await isRateLimited(services, "order", key)) return "processing";
			return fulfill(openPayments(services, primary), waiting);
		},
		() => "processing" as const,
	);
	const isOver = outcome === "paid" || outcome === "refunded" || outcome === "refunding";
	const known = isOver ? await listOrders(primary, { ...query, guestTokenHash: null }) : listed;
	return { ...known, checking: outcome === "processing" || outcome === "unmatched" || outcome === "refund_failed" };
}
