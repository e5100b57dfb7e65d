import { and, inArray, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { retryOnce } from "#app/http/databases.server.ts";
import { listUnresolvedIds } from "#app/orders/orders.server.ts";
import { isShown, orders, reconcileCursor } from "#drizzle/schema.ts";
import { type Fulfillment, fulfill } from "./fulfill.server.ts";
import { type Payments, retrievePaymentIntent } from "./payments.server.ts";
import { recordRefunds } from "./refund.server.ts";

/** The types of Stripe events that the shop handles. */
export const eventTypes = ["payment_intent.succeeded", "charge.refunded", "refund.updated", "refund.failed"] as const;

/** Period for which Stripe lists events, in seconds. */
const eventLifetime = 30 * 24 * 60 * 60;
/** Maximum age of events that every run reads again, in seconds, because Stripe may list an event late. */
const overlap = 10 * 60;
/** Maximum number of events per slice. */
const maxEvents = 1000;

/** The fields of an event that are read. */
export const eventShape = z.object({
	id: z.string(),
	object: z.literal("event"),
	type: z.string(),
	created: z.number(),
	data: z.object({ object: z.looseObject({}) }),
});
export type Event = z.infer<typeof eventShape>;

const id = z.string().check(z.regex(/^pi_[A-Za-z0-9]+$/));
const metadata = z.record(z.string(), z.string());
const succeeded = z.object({ id, metadata });
/** A charge has a copy of its PaymentIntent's metadata. */
const charge = z.object({ payment_intent: id, metadata });
/** A refund has no such copy, so it may be another shop's. */
const refund = z.object({ payment_intent: id });

/** Handles an event. Stripe delivers events at least once and in any order, so an event only triggers a check of its
 *  payment. Returns the result of `fulfill`, or null if it was not called. If the payment's order is already paid or
 *  refunded, an event about its success causes no Stripe call. Rejects when D1 or Stripe fails. */
export async function handleEvent(
	payments: Payments,
	event: Pick<Event, "type" | "data">,
): Promise<{ paymentIntentId: string; outcome: Fulfillment } | null> {
	const [paymentIntentId] = await listNewPayments(payments, [event]);
	if (!paymentIntentId) return null;
	if (event.type === "payment_intent.succeeded") {
		return { paymentIntentId, outcome: await fulfill(payments, paymentIntentId) };
	}
	const intent = await retrievePaymentIntent(payments.stripe, paymentIntentId);
	if (intent?.metadata["shop"] === payments.account.shopId) await recordRefunds(payments, intent);
	return null;
}

/** Returns the ids of the payments that must be checked: those with an event about a refund, which does not show the
 *  state of the payment's other refunds, and those that have succeeded and whose order is not known to be paid. For the
 *  paid ones, notifies the customer's feed, because the request that marked the order as paid may have been interrupted
 *  before it did so. */
export async function listNewPayments(
	payments: Payments,
	events: readonly Pick<Event, "type" | "data">[],
): Promise<string[]> {
	const { primary, account, notifyFeed } = payments;
	const listed = new Set<string>();
	const paid: string[] = [];
	for (const { type, data } of events) {
		if (type === "payment_intent.succeeded") {
			const intent = succeeded.safeParse(data.object).data;
			if (intent?.metadata["shop"] === account.shopId) paid.push(intent.id);
		} else if (type === "charge.refunded") {
			const refunded = charge.safeParse(data.object).data;
			if (refunded?.metadata["shop"] === account.shopId) listed.add(refunded.payment_intent);
		} else if (type === "refund.updated" || type === "refund.failed") {
			const updated = refund.safeParse(data.object).data;
			if (updated) listed.add(updated.payment_intent);
		}
	}
	if (paid.length === 0) return [...listed];

	// one JSON parameter, because D1 limits a statement to 100 parameters
	const isOne = inArray(orders.paymentIntentId, sql`(select value from json_each(${JSON.stringify(paid)}))`);
	const known = await retryOnce(() =>
		primary
			.select({ id: orders.paymentIntentId, userId: orders.userId })
			.from(orders)
			.where(and(isOne, isShown(orders))),
	);
	const ids = new Set(known.map(({ id }) => id));
	for (const id of paid) if (!ids.has(id)) listed.add(id);
	await Promise.all([...new Set(known.map(({ userId }) => userId))].map((userId) => notifyFeed(userId)));
	return [...listed];
}

/** Reads Stripe's events in slices of time, oldest first. Each slice is committed in one batch, which lists the payments
 *  that need work as unresolved and moves the cursor. So a payment that fails never blocks the cursor, and an interrupted
 *  run loses no event. A slice with too many events is halved. Yields the number of events of each slice, and returns that
 *  of the last one. */
export async function* readEvents(payments: Payments): AsyncGenerator<number, number | undefined> {
	const { stripe, primary, now } = payments;
	const [cursor] = await primary.select().from(reconcileCursor);
	const newest = now() + 1;
	let from = Math.max(cursor?.eventCreated ?? 0, newest - eventLifetime);
	let end = newest;
	while (true) {
		const slice = { types: [...eventTypes], created: { gte: from, lt: end }, limit: 100 };
		const isDivisible = end - from > 1;
		// 10,000 is the SDK's maximum, and more than Stripe's rate limits allow in a second
		const listed = await stripe.events.list(slice).autoPagingToArray({ limit: isDivisible ? maxEvents + 1 : 10_000 });
		if (isDivisible && listed.length > maxEvents) {
			end = from + Math.floor((end - from) / 2);
			continue;
		}
		const ids = await listNewPayments(
			payments,
			listed.map((event) => eventShape.parse(event)),
		);
		const eventCreated = Math.min(end, newest - overlap);
		await primary.batch([
			primary
				.insert(reconcileCursor)
				.values({ id: 1, eventCreated })
				.onConflictDoUpdate({ target: reconcileCursor.id, set: { eventCreated } }),
			listUnresolvedIds(primary, ids, now()),
		]);
		if (end === newest) return listed.length;
		yield listed.length;
		const growth = listed.length > maxEvents / 2 ? 1 : 2;
		[from, end] = [end, Math.min(end + growth * (end - from), newest)];
	}
}
