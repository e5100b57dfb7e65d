import { retryOnce } from "#app/http/databases.server.ts";
import { isRateLimited } from "#app/http/rate-limit.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { listOrders, type OrderCursor, type OrderPage } from "#app/orders/orders.server.ts";
import type { Services } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { fulfill } from "./fulfill.server.ts";
import { openPayments } from "./payments.server.ts";

/** Maximum age of a placed order that /orders polls, in seconds. By then, reconcile has polled the order. */
const fresh = 10 * 60;

/** Returns a page of a customer's orders, after fulfilling the newest unpaid one. Skips fulfilling if `isReadOnly`, or
 *  if the order or the client's `address` has been polled too often. `checking` is true while the outcome of that
 *  order's payment is unknown or still being resolved. */
export async function listFulfilledOrders(
	services: Services,
	primary: Database,
	userId: string,
	{ before, isReadOnly, address }: { before: OrderCursor | null; isReadOnly: boolean; address: string },
): Promise<OrderPage & { checking: boolean }> {
	const list = () => retryOnce(() => listOrders(primary, userId, { before, placedSince: services.now() - fresh }));
	const page = await list();
	const { waiting } = page;
	if (waiting === null || isReadOnly) return { ...page, checking: waiting !== null };
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
	const known = isOver ? await list() : page;
	return { ...known, checking: outcome === "processing" || outcome === "unmatched" };
}
