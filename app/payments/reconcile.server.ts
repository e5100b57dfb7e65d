import { deleteExpiredSessions } from "#app/auth/sessions.server.ts";
import { log, logError } from "#app/http/log.server.ts";
import { deleteAbandonedOrders } from "./cancel.server.ts";
import type { Payments } from "./stripe-api.server.ts";
import { pollUnpaidOrders } from "./unpaid-orders.server.ts";

/** Time budget of a run, in seconds. The next run continues the work. */
const timeBudget = 3 * 60;

/** Polls the placed orders that are due, whose webhook and return may have been lost. Deletes expired sessions and
 *  abandoned orders. If a part fails, logs it, continues with the others, and rejects at the end. Safe to run
 *  concurrently and to interrupt at any point. */
export async function reconcile(payments: Payments): Promise<void> {
	const end = payments.now() + timeBudget;
	const failures: unknown[] = [];
	const runPart = async <T>(part: string, work: () => Promise<T>) => {
		try {
			return await work();
		} catch (error) {
			logError("reconcile_failed", error, { part });
			failures.push(error);
		}
	};
	// first, so that a deletion that hangs delays no order
	const polled = await runPart("poll_orders", () => pollUnpaidOrders(payments, end));
	await runPart("delete_abandoned", () => deleteAbandonedOrders(payments));
	await runPart("delete_sessions", () => deleteExpiredSessions(payments.primary));
	log("reconciled", { polled, finished: failures.length === 0 && payments.now() < end });
	if (failures.length > 0) throw failures[0];
}
