import { and, asc, eq, lte } from "drizzle-orm";
import type Stripe from "stripe";
import { firstCause, log, logError } from "#app/http/log.server.ts";
import { findOrder } from "#app/orders/find-order.server.ts";
import { recordFailure } from "#app/orders/unresolved-payments.server.ts";
import { unresolvedPayments } from "#drizzle/schema.ts";
import { fulfillIntent } from "./fulfill.server.ts";
import { hasCopy, rebuildOrder, toOwnerMetadata } from "./order-copy.server.ts";
import { type RefundBudget, recordRefunds, refundPayment } from "./refund.server.ts";
import { latestCharge, type Payments, retrievePaymentIntent } from "./stripe-api.server.ts";

/** Minimum time between two attempts to resolve a payment, in seconds: longer than a run, so that a run attempts a
 *  payment only once, and shorter than the interval between two runs. */
const shortestWait = 4 * 60;
/** Number of attempts after which the wait doubles with each attempt. */
const quickAttempts = 3;
/** Maximum time between two attempts, in seconds. */
const longestWait = 24 * 60 * 60;
/** Period after which a payment that Stripe does not have is logged, in seconds. */
const unknownDelay = 60 * 60;
/** Minimum age of a charge before it is refunded because it has no order, in seconds. The order may still be stored. */
const refundDelay = 3 * 60;

type Resolution =
	/** There is nothing left to do, or only an operator can do it. */
	| "resolved"
	/** Not decided yet. A later attempt may resolve the payment. */
	| "pending"
	/** Not attempted in full, because the run has created as many refunds as it may. */
	| "postponed"
	/** Paid, but its order cannot be stored, or has another amount or currency. An operator decides. */
	| "undecided"
	/** Stripe does not have the payment. The operator has changed the keys, or will delete the row. */
	| "unknown";

/** Resolves a payment to a paid order or a refund. If the metadata contains a copy of the order, rebuilds the order if
 *  the shop has signed it, and never starts a refund. Without a copy, our page never placed an order, so the payment is
 *  refunded within the run's `budget`. In both cases, fulfilling the payment again determines the outcome. A refund
 *  that failed is never repeated. Rejects when D1 or Stripe fails. */
async function resolvePayment(payments: Payments, id: string, budget: RefundBudget): Promise<Resolution> {
	const intent = await retrievePaymentIntent(payments.stripe, id);
	if (!intent) return "unknown";
	const first = await fulfillIntent(payments, intent);
	switch (first) {
		case "processing":
			return "pending";
		case "unpaid":
		case "canceled":
			// also a payment of another shop. A placed order is polled until it is abandoned
			return (await findOrder(payments.primary, id))?.status === "placed" ? "pending" : "resolved";
		case "paid":
			await recordRefunds(payments, intent);
			await copyOwner(payments, intent);
			return "resolved";
		case "refunded":
		case "refund_failed":
			await rebuildOrder(payments, intent);
			await recordRefunds(payments, intent);
			break;
		case "refunding":
			await rebuildOrder(payments, intent);
			await refundPayment(payments, intent, budget);
			break;
		case "unmatched":
			if (hasCopy(intent)) {
				await rebuildOrder(payments, intent);
				break;
			}
			if ((latestCharge(intent) ?? intent).created > payments.now() - refundDelay) return "pending";
			if (budget.left <= 0) return "postponed";
			await refundPayment(payments, intent, budget);
			break;
	}
	const outcome = await fulfillIntent(payments, intent);
	if (outcome === "unmatched") return "undecided";
	return outcome === "refunding" ? "pending" : "resolved";
}

/** Updates the owner in the intent's metadata if an account has claimed the order. */
async function copyOwner({ stripe, primary }: Payments, { id, metadata }: Stripe.PaymentIntent): Promise<void> {
	const order = await findOrder(primary, id);
	if (!order?.userId || order.userId === metadata["user_id"]) return;
	const owner = toOwnerMetadata({ userId: order.userId, guestTokenHash: null });
	await stripe.paymentIntents.update(id, { metadata: owner });
}

/** Attempts to resolve up to `limit` unresolved payments that are due, most overdue first, until `end`. Each waits longer
 *  after each attempt, unless it is postponed, or fails while Stripe is down, and is never given up. Returns how many
 *  were resolved, as a turn of a generator. */
export async function resolveDuePayments(
	payments: Payments,
	limit: number,
	end: number,
	budget: RefundBudget,
	isStripeDown: boolean,
): Promise<IteratorResult<number, number>> {
	let resolved = 0;
	const { primary, now } = payments;
	const due = await primary
		.select()
		.from(unresolvedPayments)
		.where(lte(unresolvedPayments.dueAt, now()))
		.orderBy(asc(unresolvedPayments.dueAt))
		.limit(limit);
	for (const payment of due) {
		if (now() >= end) break;
		const dueAt = now() + waitAfter(payment.attempts + 1);
		const isThis = eq(unresolvedPayments.paymentIntentId, payment.paymentIntentId);
		// update first, so that a payment that always fails, or that ends the run, does not delay the others
		await primary
			.update(unresolvedPayments)
			.set({ attempts: payment.attempts + 1, dueAt })
			.where(isThis);
		const resolution = await tryToResolve(payments, payment, budget);
		// keep the row as it is if the payment was marked again in the meantime
		const isUnchanged = and(isThis, eq(unresolvedPayments.dueAt, dueAt));
		if (resolution === "resolved") {
			resolved++;
			await primary.delete(unresolvedPayments).where(isUnchanged);
		} else if (resolution === "postponed" || (resolution === "failed" && isStripeDown)) {
			// the attempt does not count
			const uncounted = { attempts: payment.attempts, dueAt: now() + shortestWait };
			await primary.update(unresolvedPayments).set(uncounted).where(isUnchanged);
		}
	}
	return { value: resolved, done: due.length < limit };
}

/** Returns the time until a payment is attempted again, in seconds. */
function waitAfter(attempts: number): number {
	return Math.min(shortestWait * 2 ** Math.max(0, attempts - quickAttempts), longestWait);
}

/** Tries to resolve a payment. Logs each reason why it could not be resolved once. */
async function tryToResolve(
	payments: Payments,
	payment: typeof unresolvedPayments.$inferSelect,
	budget: RefundBudget,
): Promise<Resolution | "failed"> {
	const { paymentIntentId: id, created } = payment;
	const details = { payment_intent: id };
	const isNew = (failure: string) => recordFailure(payments.primary, { ...payment, failure });
	try {
		const resolution = await resolvePayment(payments, id, budget);
		const isUnknown = resolution === "unknown" && payments.now() >= created + unknownDelay;
		if (isUnknown && (await isNew(resolution))) log("payment_unknown", details, "error");
		if (resolution === "undecided" && (await isNew(resolution))) log("payment_undecided", details, "error");
		return resolution;
	} catch (error) {
		if (await isNew(firstCause(error))) logError("not_reconciled", error, details);
		return "failed";
	}
}
