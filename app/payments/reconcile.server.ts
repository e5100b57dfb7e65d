import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { log, logError } from "#app/http/log.server.ts";
import { markNewlyUnresolved } from "#app/orders/unresolved.server.ts";
import { orderItems, orders, refunds } from "#drizzle/schema.ts";
import { recordEvents } from "./events.server.ts";
import type { Payments } from "./payments.server.ts";
import type { RefundBudget } from "./refund.server.ts";
import { resolveDuePayments } from "./resolve.server.ts";
import { pollUnpaidOrders } from "./unpaid-orders.server.ts";

/** Time budget of a run, in seconds. The next run continues the work. */
const timeBudget = 3 * 60;
/** Maximum number of payments or orders per turn. */
const turnSize = 20;
/** Maximum number of refunds that a run creates. */
const maxRefunds = 5;

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
		["poll_orders", () => pollOrders(payments, run)],
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

/** Polls a turn of the unpaid orders. Returns whether there may be more. */
async function pollOrders(payments: Payments, run: Run): Promise<boolean> {
	const polled = await pollUnpaidOrders(payments, turnSize);
	run.polled += polled;
	return polled === turnSize;
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
