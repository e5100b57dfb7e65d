import { inArray, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { retryOnce } from "#app/http/databases.server.ts";
import { orders, refunds } from "#drizzle/schema.ts";
import { type Fulfillment, fulfill } from "./fulfill.server.ts";
import type { Payments } from "./payments.server.ts";
import { recordRefunds } from "./refund.server.ts";
import { retrievePaymentIntent } from "./stripe.server.ts";

/** The types of Stripe events that the shop handles. */
export const eventTypes = ["payment_intent.succeeded", "charge.refunded", "refund.updated", "refund.failed"] as const;

/** The fields of an event that are read. */
export const eventShape = z.object({
	id: z.string(),
	object: z.literal("event"),
	type: z.string(),
	created: z.number(),
	data: z.object({ object: z.looseObject({ id: z.string() }) }),
});
export type Event = z.infer<typeof eventShape>;

const id = z.string().check(z.regex(/^pi_[A-Za-z0-9]+$/));
const metadata = z.record(z.string(), z.string());
const succeeded = z.object({ id, metadata });
/** A charge has a copy of its PaymentIntent's metadata. */
const charge = z.object({ payment_intent: id, metadata, refunded: z.boolean() });
const refund = z.object({ payment_intent: id, status: z.string() });

/** A change to a payment, as reported by an event. */
interface Report {
	paymentIntentId: string;
	/** Returns whether D1 already reflects the change. */
	isKnown(recorded: Recorded): boolean;
}

/** A payment's order and refund, as recorded in D1. */
interface Recorded {
	order: { status: string; userId: string | null } | undefined;
	refund: { status: string; refundId: string | null } | undefined;
}

/** Handles an event. Stripe delivers events at least once and in any order, so an event only triggers a check of its
 *  payment. Returns the result of `fulfill`, or null if it was not called. If D1 already reflects the event, does not
 *  call Stripe. Rejects when D1 or Stripe fails. */
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
	if (intent) await recordRefunds(payments, intent);
	return null;
}

/** Returns the ids of this shop's payments with changes that D1 does not reflect yet. For all other payments, notifies
 *  the customer's feed, because the request that recorded the change may have been interrupted before it did so. */
export async function listNewPayments(
	payments: Payments,
	events: readonly Pick<Event, "type" | "data">[],
): Promise<string[]> {
	const reports = events.flatMap((event) => readReport(event, payments.account.shopId) ?? []);
	if (reports.length === 0) return [];
	const recorded = await findRecorded(
		payments,
		reports.map(({ paymentIntentId }) => paymentIntentId),
	);
	const news = new Set<string>();
	const known = new Map<string | null, string[]>();
	for (const { paymentIntentId, isKnown } of reports) {
		const { order, refund } = recorded.get(paymentIntentId) ?? { order: undefined, refund: undefined };
		if (!isKnown({ order, refund })) news.add(paymentIntentId);
		else if (order) known.set(order.userId, [...(known.get(order.userId) ?? []), `${paymentIntentId} ${order.status}`]);
	}
	await Promise.all([...known].map(([userId, orders]) => payments.notifyFeed(userId, { orders, isNew: false })));
	return [...news];
}

function readReport({ type, data: { object } }: Pick<Event, "type" | "data">, shopId: string): Report | null {
	if (type === "payment_intent.succeeded") {
		const intent = succeeded.safeParse(object).data;
		if (intent?.metadata["shop"] !== shopId) return null;
		const isKnown = ({ order, refund }: Recorded) =>
			order?.status === "paid" || order?.status === "refunded" || refund !== undefined;
		return { paymentIntentId: intent.id, isKnown };
	}
	if (type === "charge.refunded") {
		const charged = charge.safeParse(object).data;
		// a partial refund does not change the order
		if (charged?.metadata["shop"] !== shopId || !charged.refunded) return null;
		const isKnown = ({ order, refund }: Recorded) =>
			Boolean(refund?.refundId) && (order === undefined || order.status === "refunded");
		return { paymentIntentId: charged.payment_intent, isKnown };
	}
	const updated = eventTypes.some((known) => known === type) ? refund.safeParse(object).data : undefined;
	if (!updated) return null;
	// a refund lacks its payment's metadata, so a refund without a row in D1 is treated as another shop's
	const isKnown = ({ refund }: Recorded) => refund === undefined || refund.status === updated.status;
	return { paymentIntentId: updated.payment_intent, isKnown };
}

async function findRecorded({ primary }: Payments, ids: string[]): Promise<Map<string, Recorded>> {
	// one JSON parameter, because D1 limits a statement to 100 parameters
	const isOne = sql`(select value from json_each(${JSON.stringify(ids)}))`;
	const [known, recordedRefunds] = await retryOnce(() =>
		primary.batch([
			primary
				.select({ id: orders.paymentIntentId, status: orders.status, userId: orders.userId })
				.from(orders)
				.where(inArray(orders.paymentIntentId, isOne)),
			primary
				.select({ id: refunds.paymentIntentId, status: refunds.status, refundId: refunds.refundId })
				.from(refunds)
				.where(inArray(refunds.paymentIntentId, isOne)),
		]),
	);
	const recorded = new Map<string, Recorded>();
	for (const { id, ...order } of known) recorded.set(id, { order, refund: undefined });
	for (const { id, ...refund } of recordedRefunds) recorded.set(id, { order: recorded.get(id)?.order, refund });
	return recorded;
}
