import { answerInTime } from "#app/http/answer-in-time.server.ts";
import { listOrders, type OrderKey, type OrderPage } from "#app/orders/orders.server.ts";
import type { Outside } from "#app/outside.server.ts";
import { type Database, twice } from "#drizzle/db.server.ts";
import { openPayments } from "./payments.server.ts";
import { settle } from "./settle.server.ts";

/** Seconds after which reconcile has found out, and a look at the orders need not. */
const fresh = 10 * 60;

/** A page of a customer's orders, once the newest of those that wait for their payment has been settled; `checking` when
 *  Stripe does not know yet, or does not answer in time. */
export async function listSettledOrders(
	outside: Outside,
	primary: Database,
	userId: string,
	before: OrderKey | null,
): Promise<OrderPage & { checking: boolean }> {
	const list = () => twice(() => listOrders(primary, userId, { before, placedSince: outside.now() - fresh }));
	const page = await list();
	const { waiting } = page;
	if (waiting === null) return { ...page, checking: false };
	const settlement = await answerInTime(
		outside.limits.request,
		() => settle(openPayments(outside, primary), waiting),
		() => "checking" as const,
	);
	const known = settlement === "paid" || settlement === "refunded" ? await list() : page;
	// its money is on the way back, and the order says so when it has arrived
	const isReturning = settlement === "refunded" && known.waiting === waiting;
	return { ...known, checking: settlement === "checking" || settlement === "orphan" || isReturning };
}
