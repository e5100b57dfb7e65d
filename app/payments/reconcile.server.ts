import { sql } from "drizzle-orm";
import { log, logError } from "#app/http/log.server.ts";
import { markNewlyUnresolved } from "#app/orders/unresolved-payments.server.ts";
import { refunds } from "#drizzle/schema.ts";
import { deleteAbandonedOrders } from "./cancel.server.ts";
import { recordEvents } from "./events.server.ts";
import { resolveDuePayments } from "./resolve.server.ts";
import type { Payments } from "./stripe-api.server.ts";
import { pollUnpaidOrders } from "./unpaid-orders.server.ts";

/** Time budget of a run, in seconds. The next run continues the work. */
const timeBudget = 3 * 60;
/** Maximum number of payments or orders per turn. */
const turnSize = 20;
/** Maximum number of refunds that a run creates. */
const maxRefunds = 5;

/** Reconciles orders with the payments at Stripe, including changes that webhooks and requests missed. Marks payments
 *  with events that D1 does not reflect as unresolved, resolves payments and polls unpaid orders. These parts take
 *  turns within the time budget. Each turn commits its work, so every run makes progress. If a part fails, logs it,
 *  continues with the others, and rejects at the end. Safe to run concurrently and to interrupt at any point. */
export async function reconcile(payments: Payments): Promise<void> {
	const end = payments.now() + timeBudget;
	const budget = { left: maxRefunds };
	/** The errors of the parts that have failed, by name. */
	const failures = new Map<string, unknown>();
	const slices = recordEvents(payments);
	await runPart(failures, "delete_abandoned", () => deleteAbandonedOrders(payments));
	await runPart(failures, "mark_refunds", () => markPendingRefunds(payments));
	const counts = { events: 0, resolved: 0, polled: 0 };
	const parts = [
		["read_events", "events", () => slices.next()],
		// if Stripe's events cannot be read either, Stripe is probably unavailable
		["resolve", "resolved", () => resolveDuePayments(payments, turnSize, end, budget, failures.has("read_events"))],
		["poll_orders", "polled", () => pollUnpaidOrders(payments, turnSize, end)],
	] as const;
	let hasMore = true;
	while (hasMore && payments.now() < end) {
		hasMore = false;
		for (const [part, count, takeTurn] of parts) {
			const turn = failures.has(part) ? undefined : await runPart(failures, part, takeTurn);
			counts[count] += turn?.value ?? 0;
			if (turn && !turn.done) hasMore = true;
		}
	}
	const [failure] = failures;
	log("reconciled", { ...counts, finished: !hasMore && payments.now() < end && !failure });
	if (failure) throw failure[1];
}

/** Does a part of a run. Logs its failure and adds it to `failures`. */
async function runPart<T>(failures: Map<string, unknown>, part: string, work: () => Promise<T>) {
	try {
		return await work();
	} catch (error) {
		logError("reconcile_failed", error, { part });
		failures.set(part, error);
	}
}

/** Marks payments with pending refunds as unresolved, so that the refunds are retried. */
async function markPendingRefunds({ primary, now }: Payments): Promise<void> {
	const pending = sql`select ${refunds.paymentIntentId} as id from ${refunds} where ${refunds.status} = 'pending'`;
	await markNewlyUnresolved(primary, pending, now());
}
