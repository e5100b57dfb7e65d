import { and, asc, eq, lte } from "drizzle-orm";
import { log, logError } from "#app/http/log.server.ts";
import { listUnresolvedIds } from "#app/orders/unresolved.server.ts";
import { orders, unresolvedPayments } from "#drizzle/schema.ts";
import { abandonOrder, cancelPayment } from "./cancel.server.ts";
import { EventReader } from "./event-reader.server.ts";
import { fulfill } from "./fulfill.server.ts";
import type { Payments } from "./payments.server.ts";
import { resolvePayment } from "./resolve.server.ts";

/** Seconds that one run works; the next one goes on. */
const timeBudget = 3 * 60;
/** Payments that are resolved, or orders that are polled, before the other queue has its turn. */
const turnSize = 20;
/** Refunds that one run may decide on by itself. */
const maxRefunds = 5;
/** Seconds after which an unpaid order is canceled. Until then it can be paid at the price it was placed at. */
const unpaidOrderLifetime = 60 * 60;
/** Seconds until a payment's first and second attempt; the interval doubles up to the longest. */
const [firstInterval, longestInterval] = [60, 6 * 60 * 60];

/** Makes orders and Stripe agree about money, whatever has been missed. Lists the payments that Stripe's events report and
 *  D1 does not show, resolves those that are listed, and polls orders that are still unpaid. The three take turns within
 *  the time budget, and each commits what it has done, so that every run makes progress. Safe to run twice at once, and
 *  to kill at any call. Rejects when Stripe's events or D1 cannot be read. */
export async function reconcile(payments: Payments): Promise<void> {
	const end = payments.now() + timeBudget;
	const counts = { resolved: 0, polled: 0, refunds: 0 };
	const events = await EventReader.open(payments);
	let failure: { error: unknown } | undefined;
	const turns = new Set([
		() => events.readPage(),
		() => resolvePayments(payments, counts),
		() => pollPlacedOrders(payments, counts),
	]);
	while (turns.size > 0 && payments.now() < end) {
		for (const turn of turns) {
			try {
				if (!(await turn())) turns.delete(turn);
			} catch (error) {
				failure ??= { error };
				turns.delete(turn);
			}
		}
	}
	await deleteAbandonedOrders(payments);
	log("reconciled", { events: events.count, ...counts, finished: turns.size === 0 });
	if (failure) throw failure.error;
}

/** Resolves the payments that are due, those due for longest first. Returns whether there may be more. */
async function resolvePayments(payments: Payments, counts: { resolved: number; refunds: number }): Promise<boolean> {
	const { primary, now } = payments;
	const due = await primary
		.select()
		.from(unresolvedPayments)
		.where(lte(unresolvedPayments.dueAt, now()))
		.orderBy(asc(unresolvedPayments.dueAt))
		.limit(turnSize);
	const mayRefund = () => counts.refunds++ < maxRefunds;
	for (const { paymentIntentId, dueAt, attempts } of due) {
		const nextDue = now() + Math.min(firstInterval * 2 ** attempts, longestInterval);
		const isThis = (at: number) =>
			and(eq(unresolvedPayments.paymentIntentId, paymentIntentId), eq(unresolvedPayments.dueAt, at));
		// before anything can fail: it must not delay the others, and another run must not attempt it now as well
		const [taken] = await primary
			.update(unresolvedPayments)
			.set({ dueAt: nextDue, attempts: attempts + 1 })
			.where(isThis(dueAt))
			.returning();
		if (!taken) continue;
		await attempt(paymentIntentId, async () => {
			if (!(await resolvePayment(payments, paymentIntentId, mayRefund))) return;
			counts.resolved++;
			// unless it was listed again meanwhile
			await primary.delete(unresolvedPayments).where(isThis(nextDue));
		});
	}
	return due.length === turnSize;
}

/** Polls the placed orders that are due, those due for longest first, at growing intervals. An order that stays unpaid is
 *  canceled, at Stripe first. Returns whether there may be more. */
async function pollPlacedOrders(payments: Payments, counts: { polled: number }): Promise<boolean> {
	const { primary, now } = payments;
	const due = await primary
		.select({ id: orders.paymentIntentId, placedAt: orders.placedAt, dueAt: orders.dueAt })
		.from(orders)
		.where(and(eq(orders.status, "placed"), lte(orders.dueAt, now())))
		.orderBy(asc(orders.dueAt))
		.limit(turnSize);
	for (const { id, placedAt, dueAt } of due) {
		const age = now() - placedAt;
		const [taken] = await primary
			.update(orders)
			.set({ dueAt: now() + Math.min(Math.max(3 * age, firstInterval), longestInterval) })
			.where(and(eq(orders.paymentIntentId, id), eq(orders.status, "placed"), eq(orders.dueAt, dueAt)))
			.returning({ id: orders.paymentIntentId });
		if (!taken) continue;
		counts.polled++;
		await attempt(id, async () => {
			if (age >= unpaidOrderLifetime && (await cancelPayment(payments, id))) {
				log("abandoned", { payment_intent: id });
				return;
			}
			const outcome = await fulfill(payments, id);
			if (outcome === "canceled") await abandonOrder(payments, id);
			if (outcome === "unmatched" || outcome === "refunding") await listUnresolvedIds(primary, [id], now());
		});
	}
	return due.length === turnSize;
}

async function deleteAbandonedOrders({ primary, now }: Payments): Promise<void> {
	await primary.delete(orders).where(and(eq(orders.status, "abandoned"), lte(orders.dueAt, now())));
}

/** Logs what fails: the payment is attempted again later, and the others go on. */
async function attempt(id: string, work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		logError("not_reconciled", error, { payment_intent: id });
	}
}
