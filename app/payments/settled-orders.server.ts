import { answerInTime } from "#app/http/answer-in-time.server.ts";
import { listOrders, type Order } from "#app/orders/orders.server.ts";
import type { Outside } from "#app/outside.server.ts";
import { type Database, twice } from "#drizzle/db.server.ts";
import { openPayments } from "./payments.server.ts";
import { settle } from "./settle.server.ts";

/** Seconds after which reconcile has found out, and a look at the orders need not. */
const fresh = 10 * 60;

/** A customer's orders, once the newest of those that wait for their payment has been settled; `checking` when Stripe
 *  does not know yet, or does not answer in time. */
export async function listSettledOrders(
	outside: Outside,
	primary: Database,
	userId: string,
): Promise<{ orders: Order[]; checking: boolean }> {
	const since = outside.now() - fresh;
	const list = () => twice(() => listOrders(primary, userId, since));
	const orders = await list();
	const newest = orders.find(({ status }) => status === "placed");
	if (!newest) return { orders, checking: false };
	const settlement = await answerInTime(
		outside.limits.request,
		() => settle(openPayments(outside, primary), newest.id),
		() => "checking" as const,
	);
	const known = settlement === "paid" || settlement === "refunded" ? await list() : orders;
	// its money is on the way back, and the order says so when it has arrived
	const isReturning =
		settlement === "refunded" && known.some(({ id, status }) => id === newest.id && status === "placed");
	return {
		orders: known.filter(({ status }) => status !== "placed"),
		checking: settlement === "checking" || settlement === "orphan" || isReturning,
	};
}
