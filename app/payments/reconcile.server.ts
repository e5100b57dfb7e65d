import { and, asc, eq, inArray, lt } from "drizzle-orm";
import Stripe from "stripe";
import { log, logError } from "#app/http/log.server.ts";
import { orders, reconcileCursor, refunds } from "#drizzle/schema.ts";
import { cancelPayment } from "./cancel.server.ts";
import { type Event, eventShape, eventTypes, handleEvent } from "./events.server.ts";
import { rebuildOrder } from "./orphan.server.ts";
import type { Payments } from "./payments.server.ts";
import { recordRefunds, refundOrphan } from "./refund.server.ts";
import { settle, settleAs } from "./settle.server.ts";
import { retrievePaymentIntent } from "./stripe.server.ts";

/** Seconds. Stripe may list an event a little later than younger ones: what is younger than this is read again. */
const overlap = 10 * 60;
/** Seconds after which money without an order is no longer waiting for one that is merely late. */
const orphanPatience = 3 * 60;
/** Seconds; a younger order's shopper is still here, and their own return settles it. */
const returnPatience = 60;
/** Seconds after which nobody comes back to pay. */
const abandonedAfter = 24 * 60 * 60;
/** More of them at once are no accident of a shopper's: a restored database must not give back a day's trade. */
const credibleOrphans = 3;
/** Pages of 100 events, and orders, in one run; the next one goes on. */
const mostPages = 10;
const mostOrders = 50;

interface Orphan {
	paymentIntentId: string;
	event: Event;
}

/** Makes orders and Stripe agree about money, whatever has been missed: reads the events since the last run, asks about
 *  orders that nothing was heard of, decides about money without an order (nobody else does), and sees refunds through.
 *  Safe to run twice at once, and to kill. What fails is logged and left to the next run; rejects when nothing can be
 *  read at all. */
export async function reconcile(payments: Payments): Promise<void> {
	await continueRefunds(payments);
	const events = await readEvents(payments);
	const orphans: Orphan[] = [];
	const undecided: Event[] = [];
	for (const event of await unheard(payments, events)) {
		const isHandled = await tryTo({ stripe_event: event.id }, async () => {
			const heard = await handleEvent(payments, event);
			if (heard?.settlement === "orphan") orphans.push({ paymentIntentId: heard.paymentIntentId, event });
		});
		if (!isHandled) undecided.push(event);
	}
	undecided.push(...(await decideOrphans(payments, orphans)));
	await moveCursor(payments, events, undecided);
	await askAboutPlaced(payments);
	log("reconciled", { events: events.length, orphans: orphans.length, undecided: undecided.length });
}

/** Oldest first, those since the cursor. Without one, or with one that Stripe has forgotten, all of the 30 days that
 *  Stripe keeps. */
async function readEvents({ stripe, primary }: Payments): Promise<Event[]> {
	const [cursor] = await primary.select().from(reconcileCursor);
	const types = [...eventTypes];
	const events: Event[] = [];
	try {
		let after = cursor?.eventId;
		for (let page = 0; after && page < mostPages; page++) {
			const { data, has_more } = await stripe.events.list({ types, limit: 100, ending_before: after });
			events.push(...data.toReversed().map(toEvent));
			after = has_more ? data[0]?.id : undefined;
		}
		if (cursor) return events;
	} catch (error) {
		if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.code !== "resource_missing") throw error;
		log("cursor_lost", { stripe_event: cursor?.eventId }, "error");
	}
	for await (const event of stripe.events.list({ types, limit: 100 })) events.unshift(toEvent(event));
	return events;
}

/** Without the payments that are known to have come to their end. */
async function unheard({ primary }: Payments, events: Event[]): Promise<Event[]> {
	const known = new Set<string>();
	const ids = events.map(({ data }) => data.object.id);
	for (let from = 0; from < ids.length; from += 90) {
		// a statement takes at most 100 parameters
		const some = ids.slice(from, from + 90);
		const [settled, givenBack] = await primary.batch([
			primary
				.select({ id: orders.paymentIntentId })
				.from(orders)
				.where(and(inArray(orders.paymentIntentId, some), inArray(orders.status, ["paid", "refunded"]))),
			primary.select({ id: refunds.paymentIntentId }).from(refunds).where(inArray(refunds.paymentIntentId, some)),
		]);
		for (const { id } of [...settled, ...givenBack]) known.add(id);
	}
	return events.filter(({ data }) => !known.has(data.object.id));
}

/** Rebuilds what can be rebuilt, gives the rest back, and answers the events of those that the next run must see again. */
async function decideOrphans(payments: Payments, orphans: Orphan[]): Promise<Event[]> {
	const [undecided, lost]: [Event[], Orphan[]] = [[], []];
	const now = payments.now();
	for (const orphan of orphans) {
		const { event, paymentIntentId } = orphan;
		if (event.created > now - orphanPatience) undecided.push(event);
		else {
			const isTried = await tryTo({ payment_intent: paymentIntentId }, async () => {
				const intent = await retrievePaymentIntent(payments.stripe, paymentIntentId);
				if (intent && (await rebuildOrder(payments, intent))) await settleAs(intent, payments);
				else lost.push(orphan);
			});
			if (!isTried) undecided.push(event);
		}
	}
	if (lost.length > credibleOrphans) {
		log("orphans_suspicious", { payment_intents: lost.map(({ paymentIntentId }) => paymentIntentId) }, "error");
		return [...undecided, ...lost.map(({ event }) => event)];
	}
	for (const { event, paymentIntentId } of lost) {
		const isRefunded = await tryTo({ payment_intent: paymentIntentId }, () => refundOrphan(payments, paymentIntentId));
		// it may have failed before its row was there, and then nothing but the event tells of it
		if (!isRefunded) undecided.push(event);
	}
	return undecided;
}

/** Moves on to the last event before which everything is decided, and which is too old for a late one to come in
 *  before it. */
async function moveCursor({ primary, now }: Payments, events: Event[], undecided: Event[]): Promise<void> {
	let last: Event | undefined;
	for (const event of events) {
		if (event.created > now() - overlap || undecided.includes(event)) break;
		last = event;
	}
	if (!last) return;
	const cursor = { id: 1, eventId: last.id };
	await primary
		.insert(reconcileCursor)
		.values(cursor)
		.onConflictDoUpdate({ target: reconcileCursor.id, set: { eventId: cursor.eventId } });
}

/** Those not asked about for longest first. Nobody comes back to pay for a day-old one: it is cancelled, at Stripe
 *  first. */
async function askAboutPlaced(payments: Payments): Promise<void> {
	const { primary, now: clock } = payments;
	const now = clock();
	const placed = await primary
		.select({ id: orders.paymentIntentId, placedAt: orders.placedAt })
		.from(orders)
		.where(and(eq(orders.status, "placed"), lt(orders.checkedAt, now - returnPatience)))
		.orderBy(asc(orders.checkedAt))
		.limit(mostOrders);
	for (const { id, placedAt } of placed) {
		// before anything can fail: an order that always fails must not keep the others from being asked about
		await primary.update(orders).set({ checkedAt: now }).where(eq(orders.paymentIntentId, id));
		await tryTo({ payment_intent: id }, async () => {
			if (placedAt < now - abandonedAfter && (await cancelPayment(payments, id))) {
				log("abandoned", { payment_intent: id });
			} else if ((await settle(payments, id)) === "refunded") await recordRefunds(payments, id);
		});
	}
}

async function continueRefunds(payments: Payments): Promise<void> {
	const pending = await payments.primary.select().from(refunds).where(eq(refunds.status, "pending")).limit(mostOrders);
	for (const { paymentIntentId } of pending) {
		await tryTo({ payment_intent: paymentIntentId }, () => refundOrphan(payments, paymentIntentId));
	}
}

/** False when the work fails: it is logged, the next run tries again, and what comes after it in this one is done all
 *  the same. */
async function tryTo(details: Record<string, string>, work: () => Promise<void>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		logError("not_reconciled", error, details);
		return false;
	}
}

function toEvent(event: Stripe.Event): Event {
	return eventShape.parse(event);
}
