import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { log, logError } from "#app/http/log.server.ts";
import { listUnresolved, listUnresolvedIds } from "#app/orders/unresolved.server.ts";
import { orderItems, orders, refunds, unresolvedPayments } from "#drizzle/schema.ts";
import { abandonOrder, cancelPayment, isPayable } from "./cancel.server.ts";
import { EventReader } from "./event-reader.server.ts";
import { fulfill } from "./fulfill.server.ts";
import { hasCopy } from "./order-metadata.server.ts";
import type { Payments } from "./payments.server.ts";
import type { RefundBudget } from "./refund.server.ts";
import { resolveDuePayments } from "./resolve-due.server.ts";

/** Time budget of a run, in seconds. The next run continues the work. */
const timeBudget = 3 * 60;
/** Maximum number of payments or orders per turn. */
const turnSize = 20;
/** Maximum number of pages of events per turn, which then takes about as long as the other turns. */
const pagesPerTurn = 10;
/** Maximum number of refunds that a run requests. */
const maxRefunds = 5;
/** Age at which an unpaid order is canceled, in seconds. Until then, it can be paid at its original price. */
const unpaidOrderLifetime = 60 * 60;
/** Age at which a payment that was never placed is canceled, in seconds. */
const forgottenAfter = 24 * 60 * 60;
/** Period after `forgottenAfter` during which cancellation is attempted, in seconds. */
const forgottenFor = 2 * 60 * 60;
/** Minimum interval between two polls of an order, in seconds. */
const shortestInterval = 60;
/** Maximum interval between two attempts to cancel an order, in seconds. */
const longestInterval = 60 * 60;

/** The progress of one run. */
interface Run {
	resolved: number;
	polled: number;
	budget: RefundBudget;
	/** Pagination cursor of the list of forgotten payments: "" for the first page, null if there is no page to read. */
	forgotten: string | null;
	/** The errors of the parts that have failed, by name. */
	failures: Map<string, unknown>;
}

/** Reconciles orders with the payments at Stripe, including changes that webhooks and requests missed. Lists payments
 *  with events that D1 does not reflect, resolves listed payments, polls unpaid orders and, once an hour, cancels
 *  payments that were never placed. These parts take turns within the time budget. Each turn commits its work, so every
 *  run makes progress. A part that fails is logged, and the others continue. Safe to run concurrently and to interrupt
 *  at any point. Rejects at the end if a part has failed. */
export async function reconcile(payments: Payments): Promise<void> {
	const end = payments.now() + timeBudget;
	const isFirstOfHour = payments.now() % 3600 < 300;
	const run: Run = {
		...{ resolved: 0, polled: 0, budget: { left: maxRefunds }, failures: new Map() },
		forgotten: isFirstOfHour ? "" : null,
	};
	const events = new EventReader(payments);
	await attemptPart(run, "delete_abandoned", () => deleteAbandonedOrders(payments));
	await attemptPart(run, "list_refunds", () => listPendingRefunds(payments));
	const turns: [string, () => Promise<boolean>][] = [
		["read_events", () => readEvents(events)],
		["resolve", () => resolvePayments(payments, run)],
		["poll_orders", () => pollPlacedOrders(payments, run)],
		["cancel_forgotten", () => cancelForgotten(payments, run)],
	];
	let hasMore = true;
	while (hasMore && payments.now() < end) {
		hasMore = false;
		for (const [part, turn] of turns) {
			if (!run.failures.has(part) && (await attemptPart(run, part, turn))) hasMore = true;
		}
	}
	const { resolved, polled } = run;
	const [failure] = run.failures;
	log("reconciled", { events: events.count, resolved, polled, finished: !hasMore && !failure });
	if (failure) throw failure[1];
}

/** Does a part of a run. Logs and records its failure. Returns whether there is more to do. */
async function attemptPart(run: Run, part: string, work: () => Promise<boolean>): Promise<boolean> {
	try {
		return await work();
	} catch (error) {
		logError("reconcile_failed", error, { part });
		run.failures.set(part, error);
		return false;
	}
}

/** Reads pages of events. Returns whether there are more. */
async function readEvents(events: EventReader): Promise<boolean> {
	for (let page = 1; page <= pagesPerTurn; page++) if (!(await events.readPage())) return false;
	return true;
}

/** Attempts to resolve a turn of the listed payments. Returns whether there may be more. */
async function resolvePayments(payments: Payments, run: Run): Promise<boolean> {
	// if its events cannot be read either, Stripe is probably unavailable
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
		const overdue = age - unpaidOrderLifetime;
		const interval = overdue < 0 ? Math.min(3 * age, -overdue) : Math.min(overdue, longestInterval);
		// update first, so that an order that always fails does not delay the others, unless a concurrent place request
		// has already changed `dueAt`
		await primary
			.update(orders)
			.set({ dueAt: now() + Math.max(interval, shortestInterval) })
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
		if (isOurs && isPayable(intent) && !hasCopy(intent)) {
			await attempt(intent.id, async () => void (await cancelPayment(payments, intent.id)));
		}
	}
	return has_more;
}

/** Lists payments with pending refunds as unresolved, unless they are listed, so that the refunds are retried. */
async function listPendingRefunds({ primary, now }: Payments): Promise<boolean> {
	const pending = sql`select ${refunds.paymentIntentId} from ${refunds} where ${refunds.status} = 'pending'
		and ${refunds.paymentIntentId} not in (select ${unresolvedPayments.paymentIntentId} from ${unresolvedPayments})`;
	await listUnresolved(primary, pending, now());
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

/** Does the work and logs a failure. A later run retries the payment. */
async function attempt(id: string, work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		logError("not_reconciled", error, { payment_intent: id });
	}
}
