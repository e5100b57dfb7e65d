import { isRateLimited } from "#app/http/rate-limit.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import type { Services } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { type OrderPage, type OrderQuery, readOrderPage } from "./list-orders.server.ts";

/** The result of a poll of a payment. `unpaid`: not charged yet; can still be paid. `canceled`: not charged; can no
 *  longer be paid. `checking`: unknown, or still being resolved. */
export type PollResult = "paid" | "refunded" | "unpaid" | "canceled" | "checking";

/** Polls the payment of the newest unpaid order of a page of orders, unless that order or the client's `address` has
 *  been polled too often. Returns the page, listed again if the order is now paid or refunded, and whether the payment
 *  is being checked. */
export async function completePage(
	services: Services,
	primary: Database,
	listed: OrderPage,
	{ query, address, poll }: { query: OrderQuery; address: string; poll(id: string): Promise<PollResult> },
): Promise<OrderPage & { checking: boolean }> {
	const { waiting } = listed;
	if (waiting === null) return { ...listed, checking: false };
	const result = await withFallback<PollResult>(
		services.timeouts.work,
		async () => {
			for (const key of [waiting, `from ${address}`])
				if (await isRateLimited(services, "order", key)) return "checking";
			return poll(waiting);
		},
		() => "checking",
	);
	const isOver = result === "paid" || result === "refunded";
	return { ...(isOver ? await readOrderPage(primary, query) : listed), checking: result === "checking" };
}
