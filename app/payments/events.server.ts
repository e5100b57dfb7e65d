import { and, eq, inArray, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { retryOnce } from "#app/http/databases.server.ts";
import { paymentIntentIdPattern } from "#app/orders/find-order.server.ts";
import { markUnresolved } from "#app/orders/unresolved-payments.server.ts";
import { hasBeenPaid, orders, reconcileCursor, refunds } from "#drizzle/schema.ts";
import { type Fulfillment, fulfill, fulfillIntent } from "./fulfill.server.ts";
import { isOurs } from "./is-ours.server.ts";
import { recordRefunds } from "./refund.server.ts";
import { nameOf } from "./shop-signature.server.ts";
import { type Payments, retrievePaymentIntent } from "./stripe-api.server.ts";

const succeeded = "payment_intent.succeeded";
/** The types of Stripe events that the shop handles. All but the first are about a refund. */
export const eventTypes = [succeeded, "charge.refunded", "refund.updated", "refund.failed"] as const;

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

/** The fields that are read of an event's PaymentIntent, of its charge, which has the same metadata, or of its refund,
 *  whose metadata has the shop's id only if the shop made it. */
const objectShape = z.object({
	id: z.string(),
	payment_intent: z.optional(z.unknown()),
	metadata: z.nullish(z.object({ shop: z.optional(z.string()) })),
});

/** The payment that an event is about. */
interface EventPayment {
	id: string;
	shop: string | undefined;
	isRefund: boolean;
}

/** Handles an event. Stripe delivers events at least once and in any order, so an event only triggers a check of its
 *  payment. Returns the payment and the outcome of its check, or null if it was not checked. If the payment's order is
 *  already paid or refunded, an event about its success causes no Stripe call. Rejects when D1 or Stripe fails. */
export async function handleEvent(
	payments: Payments,
	event: Pick<Event, "type" | "data">,
): Promise<{ paymentIntentId: string; outcome: Fulfillment | "unknown" } | null> {
	const payment = findPayment(event);
	const [paymentIntentId] = await checkEvents(payments, payment ? [payment] : []);
	if (!paymentIntentId) return null;
	const intent = payment?.isRefund && (await retrievePaymentIntent(payments.stripe, paymentIntentId));
	if (!intent) return { paymentIntentId, outcome: await fulfill(payments, paymentIntentId) };
	const outcome = (await recordRefunds(payments, intent)) ?? (await fulfillIntent(payments, intent));
	return { paymentIntentId, outcome };
}

/** Compares the payments of events with D1. Returns the ids of this shop's payments that must be checked: those with an
 *  event about a refund, which does not show the payment's other refunds, and those that have succeeded and whose order
 *  is not known to be paid. For the paid ones, notifies the customer's feed, because the request that marked the order as
 *  paid may have been interrupted before it did so. Retrieving other shops' payments would delay this shop's. */
async function checkEvents(payments: Payments, named: EventPayment[]): Promise<string[]> {
	const { primary, notifyFeed } = payments;
	if (named.length === 0) return [];
	// one JSON parameter, because D1 limits a statement to 100 parameters
	const ids = sql`(select value from json_each(${JSON.stringify(named.map(({ id }) => id))}))`;
	const [known, refunded] = await retryOnce(() =>
		primary.batch([
			primary
				.select({ id: orders.paymentIntentId, status: orders.status, userId: orders.userId })
				.from(orders)
				.where(inArray(orders.paymentIntentId, ids)),
			primary.select({ id: refunds.paymentIntentId }).from(refunds).where(inArray(refunds.paymentIntentId, ids)),
		]),
	);
	const orderOf = new Map(known.map((order) => [order.id, order]));
	const withRefund = new Set(refunded.map(({ id }) => id));
	const unchecked = new Set<string>();
	const notified = new Set<string | null>();
	for (const payment of named) {
		const { id, isRefund } = payment;
		const order = orderOf.get(id);
		if (!(await isOurs(payments, payment, () => order !== undefined || withRefund.has(id)))) continue;
		if (!isRefund && order && hasBeenPaid(order)) notified.add(order.userId);
		else unchecked.add(id);
	}
	await Promise.all([...notified].map((userId) => notifyFeed(userId)));
	return [...unchecked];
}

/** Returns the payment that an event is about, or null if the shop does not handle the event or it names no payment. */
function findPayment({ type, data }: Pick<Event, "type" | "data">): EventPayment | null {
	const object = objectShape.safeParse(data.object).data;
	if (!object || !eventTypes.some((handled) => handled === type)) return null;
	const isRefund = type !== succeeded;
	const id = String(isRefund ? object.payment_intent : object.id);
	return paymentIntentIdPattern.test(id) ? { id, shop: object.metadata?.shop, isRefund } : null;
}

/** Reads Stripe's events in slices of time, oldest first. After the keys or SHOP_ID have changed, reads those of the
 *  last 30 days again. Each slice is committed in one batch, which marks the payments that need work as unresolved and
 *  moves the cursor. So a payment that fails never blocks the cursor, and an interrupted run loses no event. If the
 *  cursor has changed since, because another run has moved it or an operator has restored D1, ends. A slice with too many
 *  events is halved. Yields the number of events of each slice, and returns that of the last one. */
export async function* recordEvents(payments: Payments): AsyncGenerator<number, number> {
	const { primary, account, now } = payments;
	let [cursor] = await primary.select().from(reconcileCursor);
	const start = cursor?.account === nameOf(account) ? cursor.eventCreated : 0;
	const newest = now() + 1;
	let slice: Slice = { from: Math.max(start, newest - eventLifetime), end: newest };
	while (true) {
		const events = await listEvents(payments, slice);
		const next = nextSlice(slice, events.length, newest);
		const isHalved = next?.from === slice.from;
		if (!isHalved) {
			const ids = await checkEvents(
				payments,
				events.map(findPayment).filter((payment) => payment !== null),
			);
			cursor = await moveCursor(payments, cursor, Math.min(slice.end, newest - overlap), ids);
			if (!next || !cursor) return events.length;
			yield events.length;
		}
		slice = next;
	}
}

/** Lists the events of a slice, up to one more than `maxEvents`: then the slice is halved, unless it is one second. */
async function listEvents({ stripe }: Payments, { from, end }: Slice): Promise<Event[]> {
	// 10,000 is the SDK's maximum, and more than Stripe's rate limits allow in a second
	const limit = end - from > 1 ? maxEvents + 1 : 10_000;
	const created = { gte: from, lt: end };
	const list = stripe.events.list({ types: [...eventTypes], created, limit: 100 });
	return (await list.autoPagingToArray({ limit })).map((event) => eventShape.parse(event));
}

type Cursor = typeof reconcileCursor.$inferSelect;

/** Marks payments as unresolved, and moves the cursor unless it has changed since it was read, in one transaction. Returns
 *  the cursor that was moved. */
async function moveCursor(
	{ primary, account, now }: Payments,
	cursor: Cursor | undefined,
	eventCreated: number,
	ids: string[],
): Promise<Cursor | undefined> {
	const next = { id: 1, account: nameOf(account), eventCreated };
	const [, [moved]] = await primary.batch([
		markUnresolved(primary, sql`select value as id from json_each(${JSON.stringify(ids)})`, now()),
		cursor
			? primary.update(reconcileCursor).set(next).where(isStill(cursor)).returning()
			: primary.insert(reconcileCursor).values(next).onConflictDoNothing().returning(),
	]);
	return moved;
}

function isStill({ account, eventCreated }: Cursor) {
	return and(eq(reconcileCursor.account, account), eq(reconcileCursor.eventCreated, eventCreated));
}

/** A period of time, in Unix seconds, without its end. */
interface Slice {
	from: number;
	end: number;
}

/** Returns the slice to read after one with this number of events: its first half if they are too many, otherwise the
 *  time that follows, twice as long if they were few. Returns null at the end, which is `newest`. */
export function nextSlice({ from, end }: Slice, events: number, newest: number): Slice | null {
	const length = end - from;
	if (events > maxEvents && length > 1) return { from, end: from + Math.floor(length / 2) };
	if (end === newest) return null;
	const growth = events > maxEvents / 2 ? 1 : 2;
	return { from: end, end: Math.min(end + growth * length, newest) };
}
