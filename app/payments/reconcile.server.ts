import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { log, logError } from "#app/http/log.server.ts";
import { listUnresolved, listUnresolvedIds } from "#app/orders/unresolved.server.ts";
import { orders, refunds, unresolvedPayments } from "#drizzle/schema.ts";
import { abandonOrder, cancelPayment, isPayable } from "./cancel.server.ts";
import { EventReader } from "./event-reader.server.ts";
import { fulfill } from "./fulfill.server.ts";
import { fromMetadata } from "./order-metadata.server.ts";
import type { Payments } from "./payments.server.ts";
import { resolvePayment } from "./resolve.server.ts";

/** Time budget of a run, in seconds. The next run continues the work. */
const timeBudget = 3 * 60;
/** Maximum number of payments or orders per turn. */
const turnSize = 20;
/** Maximum number of pages of events per turn, which then takes about as long as the other turns. */
const pagesPerTurn = 10;
/** Maximum number of automatic refunds per run. */
const maxRefunds = 5;
/** Age at which an unpaid order is canceled, in seconds. Until then, it can be paid at its original price. */
const unpaidOrderLifetime = 60 * 60;
/** Age at which a payment that was never placed is canceled, in seconds. */
const forgottenAfter = 24 * 60 * 60;
/** Period after `forgottenAfter` during which cancellation is attempted, in seconds. */
const forgottenFor = 2 * 60 * 60;
/** Minimum interval between two polls of an order, in seconds. */
const shortestInterval = 60;

/** The progress of one run. */
interface Run {
	attempted: Set<string>;
	resolved: number;
	polled: number;
	refunds: number;
	/** Pagination cursor of the list of forgotten payments: "" for the first page, null if there is no page to read. */
	forgotten: string | null;
}

/** Reconciles orders with the payments at Stripe, including changes that webhooks and requests missed. Lists payments
 *  with events that D1 does not reflect, resolves listed payments, polls unpaid orders and, once an hour, cancels
 *  payments that were never placed. These four tasks take turns within the time budget. Each turn commits its work, so
 *  every run makes progress. Safe to run concurrently and to interrupt at any point. Rejects when D1 or a list at
 *  Stripe cannot be read. */
export async function reconcile(payments: Payments): Promise<void> {
	const end = payments.now() + timeBudget;
	const isFirstOfHour = payments.now() % 3600 < 300;
	const run: Run = { attempted: new Set(), resolved: 0, polled: 0, refunds: 0, forgotten: isFirstOfHour ? "" : null };
	await deleteAbandonedOrders(payments);
	await listPendingRefunds(payments);
	const events = await EventReader.open(payments);
	const turns = new Set([
		() => readEvents(events),
		() => resolvePayments(payments, run),
		() => pollPlacedOrders(payments, run),
		() => cancelForgotten(payments, run),
	]);
	let failure: { error: unknown } | undefined;
	let hasMore = true;
	while (hasMore && payments.now() < end) {
		hasMore = false;
		for (const turn of turns) {
			try {
				if (await turn()) hasMore = true;
			} catch (error) {
				// the other tasks continue
				failure ??= { error };
				turns.delete(turn);
			}
		}
	}
	const { resolved, polled } = run;
	log("reconciled", { events: events.count, resolved, polled, finished: !hasMore && !failure });
	if (failure) throw failure.error;
}

/** Reads pages of events. Returns whether there are more. */
async function readEvents(events: EventReader): Promise<boolean> {
	for (let page = 1; page <= pagesPerTurn; page++) if (!(await events.readPage())) return false;
	return true;
}

/** Resolves listed payments, at most once each per run, least recently attempted first. Returns whether there may be
 *  more. */
async function resolvePayments(payments: Payments, run: Run): Promise<boolean> {
	const { primary, now } = payments;
	const listed = await primary
		.select({ id: unresolvedPayments.paymentIntentId })
		.from(unresolvedPayments)
		.orderBy(asc(unresolvedPayments.attemptedAt))
		.limit(turnSize);
	const untried = listed.filter(({ id }) => !run.attempted.has(id));
	for (const { id } of untried) {
		run.attempted.add(id);
		const isThis = eq(unresolvedPayments.paymentIntentId, id);
		// update first, so that a payment that always fails does not delay the others
		await primary
			.update(unresolvedPayments)
			.set({ attempts: sql`${unresolvedPayments.attempts} + 1`, attemptedAt: now() })
			.where(isThis);
		await attempt(id, async () => {
			if (!(await resolvePayment(payments, id, () => run.refunds++ < maxRefunds))) return;
			run.resolved++;
			// keep the row if the payment was listed again in the meantime
			await primary.delete(unresolvedPayments).where(and(isThis, gt(unresolvedPayments.attempts, 0)));
		});
	}
	return untried.length > 0 && listed.length === turnSize;
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
		const interval = Math.max(Math.min(3 * age, unpaidOrderLifetime - age), shortestInterval);
		// update first, so that an order that always fails does not delay the others, unless a concurrent place request
		// has already changed `dueAt`
		await primary
			.update(orders)
			.set({ dueAt: now() + interval })
			.where(and(eq(orders.paymentIntentId, id), eq(orders.status, "placed"), eq(orders.dueAt, dueAt)));
		run.polled++;
		await attempt(id, async () => {
			if (age >= unpaidOrderLifetime && (await cancelPayment(payments, id))) {
				log("abandoned", { payment_intent: id });
				return;
			}
			const outcome = await fulfill(payments, id);
			if (outcome === "canceled") await abandonOrder(payments, id);
			if (outcome === "unmatched") await listUnresolvedIds(primary, [id], now());
		});
	}
	return due.length === turnSize;
}

/** Cancels a page of payments that were created a day ago but never placed. Anyone can create payments, so they would
 *  accumulate. Returns whether there are more pages. */
async function cancelForgotten(payments: Payments, run: Run): Promise<boolean> {
	if (run.forgotten === null) return false;
	const newest = payments.now() - forgottenAfter;
	const { data, has_more } = await payments.stripe.paymentIntents.list({
		created: { gt: newest - forgottenFor, lte: newest },
		limit: turnSize,
		...(run.forgotten && { starting_after: run.forgotten }),
	});
	run.forgotten = (has_more && data.at(-1)?.id) || null;
	for (const intent of data) {
		const isOurs = intent.metadata["shop"] === payments.account.shopId;
		if (isOurs && isPayable(intent) && !fromMetadata(intent.metadata)) {
			await attempt(intent.id, async () => void (await cancelPayment(payments, intent.id)));
		}
	}
	return has_more;
}

/** Lists payments with pending refunds as unresolved, so that the refunds are retried. */
async function listPendingRefunds({ primary, now }: Payments): Promise<void> {
	const pending = sql`select ${refunds.paymentIntentId} from ${refunds} where ${refunds.status} = 'pending'`;
	await listUnresolved(primary, pending, now());
}

async function deleteAbandonedOrders({ primary, now }: Payments): Promise<void> {
	await primary.delete(orders).where(and(eq(orders.status, "abandoned"), lte(orders.dueAt, now())));
}

/** Does the work and logs a failure. A later run retries the payment. */
async function attempt(id: string, work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		logError("not_reconciled", error, { payment_intent: id });
	}
}
