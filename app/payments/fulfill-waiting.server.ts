import { isRateLimited } from "#app/http/rate-limit.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { listOrders, type OrderPage, type OrderQuery } from "#app/orders/list-orders.server.ts";
import type { Services } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { fulfill } from "./fulfill.server.ts";
import { openPayments } from "./payments.server.ts";

/** Fulfills the newest unpaid order of a page of orders. Returns the page, listed again if that succeeded. Skips
 *  fulfilling if `isReadOnly`, or if the order or the client's `address` has been polled too often. `checking` is true
 *  while the outcome of that order's payment is unknown or still being resolved. */
export async function fulfillWaiting(
	services: Services,
	primary: Database,
	listed: OrderPage,
	{ query, isReadOnly, address }: { query: OrderQuery; isReadOnly: boolean; address: string },
): Promise<OrderPage & { checking: boolean }> {
	const { waiting } = listed;
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
