import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { log, logError } from "#app/http/log.server.ts";
import { markNewlyUnresolved } from "#app/orders/unresolved.server.ts";
import { orderItems, orders, refunds } from "#drizzle/schema.ts";
import { abandonOrder, cancelPayment } from "./cancel.server.ts";
import { recordEvents } from "./events.server.ts";
import { fulfill } from "./fulfill.server.ts";
import type { Payments } from "./payments.server.ts";
import type { RefundBudget } from "./refund.server.ts";
import { resolveDuePayments } from "./resolve.server.ts";

/** Time budget of a run, in seconds. The next run continues the work. */
const timeBudget = 3 * 60;
/** Maximum number of payments or orders per turn. */
const turnSize = 20;
/** Maximum number of refunds that a run creates. */
const maxRefunds = 5;
/** Time after placing an order until it is canceled if unpaid, in seconds. Until then, its original price is valid. */
const unpaidOrderLifetime = 60 * 60;
/** Minimum interval between two polls of an order, in seconds. */
const shortestInterval = 60;
/** Maximum interval between two attempts to cancel an order, in seconds. */
const longestInterval = 24 * 60 * 60;

/** The progress of one run. */
interface Run {
	events: number;
	resolved: number;
	polled: number;
	budget: RefundBudget;
	/** The errors of the parts that have failed, by name. */
	failures: Map<string, unknown>;
}

/** Reconciles orders with the payments at Stripe, including changes that webhooks and requests missed. Marks payments
 *  with events that D1 does not reflect as unresolved, resolves payments and polls unpaid orders. These parts take
 *  turns within the time budget. Each turn commits its work, so every run makes progress. If a part fails, logs it,
 *  continues with the others, and rejects at the end. Safe to run concurrently and to interrupt at any point. */
export async function reconcile(payments: Payments): Promise<void> {
	const end = payments.now() + timeBudget;
	const run: Run = { events: 0, resolved: 0, polled: 0, budget: { left: maxRefunds }, failures: new Map() };
	const slices = recordEvents(payments);
	await runPart(run, "delete_abandoned", () => deleteAbandonedOrders(payments));
	await runPart(run, "mark_refunds", () => markPendingRefunds(payments));
	const turns: [string, () => Promise<boolean>][] = [
		["read_events", () => readSlice(slices, run)],
		["resolve", () => resolvePayments(payments, run)],
		["poll_orders", () => pollPlacedOrders(payments, run)],
	];
	let hasMore = true;
	while (hasMore && payments.now() < end) {
		hasMore = false;
		for (const [part, turn] of turns) {
			if (!run.failures.has(part) && (await runPart(run, part, turn))) hasMore = true;
		}
	}
	const { events, resolved, polled } = run;
	const [failure] = run.failures;
	log("reconciled", { events, resolved, polled, finished: !hasMore && !failure });
	if (failure) throw failure[1];
}

/** Does a part of a run. Logs and records its failure. Returns whether there is more to do. */
async function runPart(run: Run, part: string, work: () => Promise<boolean>): Promise<boolean> {
	try {
		return await work();
	} catch (error) {
		logError("reconcile_failed", error, { part });
		run.failures.set(part, error);
		return false;
	}
}

/** Reads the next slice of events. Returns whether there may be more. */
async function readSlice(slices: ReturnType<typeof recordEvents>, run: Run): Promise<boolean> {
	const slice = await slices.next();
	run.events += slice.value ?? 0;
	return !slice.done;
}

/** Attempts to resolve a turn of the unresolved payments. Returns whether there may be more. */
async function resolvePayments(payments: Payments, run: Run): Promise<boolean> {
	// if Stripe's events cannot be read either, Stripe is probably unavailable
	const isStripeDown = run.failures.has("read_events");
	const { resolved, attempted } = await resolveDuePayments(payments, turnSize, run.budget, isStripeDown);
	run.resolved += resolved;
	return attempted === turnSize;
}

/** Polls placed orders that are due, most overdue first, at increasing intervals. Cancels orders that are still unpaid
 *  after `unpaidOrderLifetime`. Returns whether there may be more. */
async function pollPlacedOrders(payments: Payments, run: Run): Promise<boolean> {
	const { primary, now } = payments;
	const due = await primary
		.select({ id: orders.paymentIntentId, placedAt: orders.placedAt, dueAt: orders.dueAt })
		.from(orders)
		.where(and(eq(orders.status, "placed"), lte(orders.dueAt, now())))
		.orderBy(asc(orders.dueAt))
		.limit(turnSize);
	for (const { id, placedAt, dueAt } of due) {
		const age = now() - placedAt;
		// update first, so that an order that always fails does not delay the others, unless a concurrent place request
		// has already changed `dueAt`
		await primary
			.update(orders)
			.set({ dueAt: now() + pollInterval(age) })
			.where(and(eq(orders.paymentIntentId, id), eq(orders.status, "placed"), eq(orders.dueAt, dueAt)));
		run.polled++;
		await logFailure(id, async () => {
			if (age >= unpaidOrderLifetime && (await cancelPayment(payments, id))) {
				log("abandoned", { payment_intent: id });
				return;
			}
			const outcome = await fulfill(payments, id);
			if (outcome === "canceled") await abandonOrder(payments, id);
		});
	}
	return due.length === turnSize;
}

/** Returns the time until an order of this age is polled again, both in seconds: three times its age, but not later
 *  than its cancellation. After a failed cancellation, the time since it was due, up to a day. */
export function pollInterval(age: number): number {
	const left = unpaidOrderLifetime - age;
	const interval = left > 0 ? Math.min(3 * age, left) : Math.min(-left, longestInterval);
	return Math.max(interval, shortestInterval);
}

/** Marks payments with pending refunds as unresolved, so that the refunds are retried. */
async function markPendingRefunds({ primary, now }: Payments): Promise<boolean> {
	const pending = sql`select ${refunds.paymentIntentId} as id from ${refunds} where ${refunds.status} = 'pending'`;
	await markNewlyUnresolved(primary, pending, now());
	return false;
}

/** Deletes abandoned orders after their retention period, and any line items that they still have. */
async function deleteAbandonedOrders({ primary, now }: Payments): Promise<boolean> {
	const isExpired = and(eq(orders.status, "abandoned"), lte(orders.dueAt, now()));
	const expired = primary.select({ id: orders.paymentIntentId }).from(orders).where(isExpired);
	await primary.batch([
		primary.delete(orderItems).where(inArray(orderItems.paymentIntentId, expired)),
		primary.delete(orders).where(isExpired),
	]);
	return false;
}

/** Does the work and logs a failure. Never rejects: a later run retries the payment. */
async function logFailure(id: string, work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		logError("not_reconciled", error, { payment_intent: id });
	}
}
