import { and, asc, eq, lte } from "drizzle-orm";
import { firstCause, log, logError } from "#app/http/log.server.ts";
import { recordFailure } from "#app/orders/unresolved-payments.server.ts";
import { orders } from "#drizzle/schema.ts";
import { abandonOrder, cancelPayment } from "./cancel.server.ts";
import { fulfill } from "./fulfill.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Time after placing an order until it is canceled if unpaid, in seconds. Until then, its original price is valid. */
const unpaidOrderLifetime = 60 * 60;
/** Minimum interval between two polls of an order, in seconds. */
const shortestInterval = 60;
/** Maximum interval between two attempts to cancel an order, in seconds. */
const longestInterval = 24 * 60 * 60;

/** Polls up to `limit` placed orders that are due, most overdue first, at increasing intervals, until `end`. Cancels
 *  orders that are still unpaid after `unpaidOrderLifetime`. Returns how many were polled, as a turn of a generator. */
export async function pollUnpaidOrders(
	payments: Payments,
	limit: number,
	end: number,
): Promise<IteratorResult<number, number>> {
	const { primary, now } = payments;
	const due = await primary
		.select({ id: orders.paymentIntentId, placedAt: orders.placedAt, dueAt: orders.dueAt })
		.from(orders)
		.where(and(eq(orders.status, "placed"), lte(orders.dueAt, now())))
		.orderBy(asc(orders.dueAt))
		.limit(limit);
	let polled = 0;
	for (const { id, placedAt, dueAt } of due) {
		if (now() >= end) break;
		const age = now() - placedAt;
		const next = now() + pollInterval(age);
		// update first, so that an order that always fails does not delay the others
		const claimed = await primary
			.update(orders)
			.set({ dueAt: next })
			.where(and(eq(orders.paymentIntentId, id), eq(orders.status, "placed"), eq(orders.dueAt, dueAt)))
			.returning({ id: orders.paymentIntentId });
		// the shopper has placed it again in the meantime, or another run polls it
		if (claimed.length === 0) continue;
		polled++;
		try {
			if (age >= unpaidOrderLifetime && (await cancelPayment(payments, id))) {
				log("abandoned", { payment_intent: id });
			} else if ((await fulfill(payments, id)) === "canceled") {
				await abandonOrder(payments, id);
			}
		} catch (error) {
			// a later run polls the order again
			const row = { paymentIntentId: id, created: now(), attempts: 0, dueAt: next, failure: firstCause(error) };
			if (await recordFailure(primary, row)) logError("not_reconciled", error, { payment_intent: id });
		}
	}
	return { value: polled, done: due.length < limit };
}

/** Returns the time until an order of this age is polled again, both in seconds: three times its age, but not later
 *  than its cancellation. After a failed cancellation, the time since it was due, up to a day. */
export function pollInterval(age: number): number {
	const left = unpaidOrderLifetime - age;
	const interval = left > 0 ? Math.min(3 * age, left) : Math.min(-left, longestInterval);
	return Math.max(interval, shortestInterval);
}
