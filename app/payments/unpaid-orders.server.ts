import { and, asc, eq, lte } from "drizzle-orm";
import { firstCause, log, logError } from "#app/http/log.server.ts";
import { orders } from "#drizzle/schema.ts";
import { abandonOrder, cancelPayment } from "./cancel.server.ts";
import { fulfill, reportUnmatched } from "./fulfill.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Time after placing an order until it is canceled if unpaid, in seconds. Until then, its original price is valid. */
const unpaidOrderLifetime = 60 * 60;
/** Minimum interval between two polls of an order, in seconds: longer than a run, so that a run polls an order only once,
 *  and shorter than the interval between two runs. */
const shortestInterval = 4 * 60;
/** Maximum interval between two attempts to cancel an order, in seconds. */
const longestInterval = 24 * 60 * 60;
/** Maximum number of orders per query. */
const pageSize = 20;

/** Polls the placed orders that are due, most overdue first, until `end` in Unix seconds. Cancels orders that are still
 *  unpaid after `unpaidOrderLifetime`. Returns how many were polled. */
export async function pollUnpaidOrders(payments: Payments, end: number): Promise<number> {
	const { primary, now } = payments;
	for (let polled = 0; ; ) {
		const due = await primary
			.select({ id: orders.paymentIntentId, placedAt: orders.placedAt, dueAt: orders.dueAt })
			.from(orders)
			.where(and(eq(orders.status, "placed"), lte(orders.dueAt, now())))
			.orderBy(asc(orders.dueAt))
			.limit(pageSize);
		for (const { id, placedAt, dueAt } of due) {
			if (now() >= end) return polled;
			const age = now() - placedAt;
			const interval = pollInterval(age);
			// update first, so that an order that always fails does not delay the others
			const claimed = await primary
				.update(orders)
				.set({ dueAt: now() + interval })
				.where(and(eq(orders.paymentIntentId, id), eq(orders.status, "placed"), eq(orders.dueAt, dueAt)))
				.returning({ id: orders.paymentIntentId });
			// the shopper has placed it again in the meantime, or another run polls it
			if (claimed.length === 0) continue;
			polled++;
			// the first poll after its hour, then one a day
			const isReported =
				age >= unpaidOrderLifetime && (dueAt - placedAt <= unpaidOrderLifetime || interval === longestInterval);
			await pollUnpaidOrder(payments, id, age, isReported);
		}
		if (due.length < pageSize) return polled;
	}
}

/** Polls an order of this age, in seconds. Never rejects: a later run polls it again. Logs why it cannot be decided as an
 *  error only if `isReported`. */
async function pollUnpaidOrder(payments: Payments, id: string, age: number, isReported: boolean): Promise<void> {
	const details = { payment_intent: id };
	try {
		const isExpired = age >= unpaidOrderLifetime;
		const outcome = isExpired ? await cancelPayment(payments, id) : await fulfill(payments, id);
		// canceled in Stripe's dashboard, for example
		if (outcome === "canceled" && !isExpired) await abandonOrder(payments, id);
		if (outcome === "canceled") log("abandoned", details);
		if (outcome === "unmatched" && isReported) reportUnmatched(id);
		if (outcome === "unknown" && isReported) log("payment_unknown", details, "error");
	} catch (error) {
		if (isReported) logError("not_polled", error, details);
		else log("not_polled", { ...details, message: firstCause(error) });
	}
}

/** Returns the time until an order of this age is polled again, both in seconds: the next run, but not later than its
 *  cancellation. After a failed cancellation, the time since it was due, up to a day. */
export function pollInterval(age: number): number {
	const left = unpaidOrderLifetime - age;
	return left > 0 ? Math.min(shortestInterval, left) : Math.min(Math.max(-left, shortestInterval), longestInterval);
}
