import { and, asc, eq, lte } from "drizzle-orm";
import { firstCause, log, logError } from "#app/http/log.server.ts";
import { unresolvedPayments } from "#drizzle/schema.ts";
import type { Payments } from "./payments.server.ts";
import type { RefundBudget } from "./refund.server.ts";
import { type Resolution, resolvePayment } from "./resolve.server.ts";

/** Minimum time between two attempts to resolve a payment, in seconds: longer than a run, so that a run attempts a
 *  payment only once, and shorter than the interval between two runs. */
const shortestWait = 4 * 60;
/** Number of attempts after which the wait doubles with each attempt. */
const quickAttempts = 3;
/** Maximum time between two attempts, in seconds. */
const longestWait = 24 * 60 * 60;

/** Attempts to resolve up to `limit` listed payments that are due, most overdue first. A payment that cannot be resolved
 *  waits longer after each attempt, unless it failed while Stripe is down. Returns the numbers of payments. */
export async function resolveDuePayments(
	payments: Payments,
	limit: number,
	budget: RefundBudget,
	isStripeDown: boolean,
): Promise<{ attempted: number; resolved: number }> {
	let resolved = 0;
	const { primary, now } = payments;
	const due = await primary
		.select()
		.from(unresolvedPayments)
		.where(lte(unresolvedPayments.dueAt, now()))
		.orderBy(asc(unresolvedPayments.dueAt))
		.limit(limit);
	for (const { paymentIntentId: id, attempts, failure: knownFailure } of due) {
		const dueAt = now() + waitAfter(attempts + 1);
		// update first, so that a payment that always fails, or that ends the run, does not delay the others
		await primary
			.update(unresolvedPayments)
			.set({ attempts: attempts + 1, dueAt })
			.where(eq(unresolvedPayments.paymentIntentId, id));
		const { resolution, failure = knownFailure } = await attemptToResolve(payments, id, knownFailure, budget);
		// keep the row as it is if the payment was listed again in the meantime
		const isUnchanged = and(eq(unresolvedPayments.paymentIntentId, id), eq(unresolvedPayments.dueAt, dueAt));
		if (resolution === "resolved") {
			resolved++;
			await primary.delete(unresolvedPayments).where(isUnchanged);
		} else if (resolution === "postponed" || (resolution === "failed" && isStripeDown)) {
			await primary
				.update(unresolvedPayments)
				.set({ failure, attempts, dueAt: now() + shortestWait })
				.where(isUnchanged);
		} else if (failure !== knownFailure) {
			await primary.update(unresolvedPayments).set({ failure }).where(isUnchanged);
		}
	}
	return { attempted: due.length, resolved };
}

/** Returns the time until a payment is attempted again, in seconds. */
function waitAfter(attempts: number): number {
	return Math.min(shortestWait * 2 ** Math.max(0, attempts - quickAttempts), longestWait);
}

/** Attempts to resolve a payment. Logs why that failed, unless it is the known reason. */
async function attemptToResolve(
	payments: Payments,
	id: string,
	knownFailure: string | null,
	budget: RefundBudget,
): Promise<{ resolution: Resolution | "failed"; failure?: string }> {
	try {
		const resolution = await resolvePayment(payments, id, budget);
		if (resolution !== "undecided") return { resolution };
		if (knownFailure !== resolution) log("payment_undecided", { payment_intent: id }, "error");
		return { resolution, failure: resolution };
	} catch (error) {
		const failure = firstCause(error);
		if (knownFailure !== failure) logError("not_reconciled", error, { payment_intent: id });
		return { resolution: "failed", failure };
	}
}
