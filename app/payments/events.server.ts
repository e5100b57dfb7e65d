import * as z from "zod/mini";
import { findOrder, paymentIntentIdPattern } from "#app/orders/find-order.server.ts";
import { hasBeenPaid } from "#drizzle/schema.ts";
import { type Fulfillment, fulfillIntent, reportUnmatched } from "./fulfill.server.ts";
import { isOurs, retrievePaymentIntent } from "./payment-intents.server.ts";
import type { Payments } from "./stripe-api.server.ts";

const succeeded = "payment_intent.succeeded";
/** The types of Stripe events that the shop handles. All but the first are about a refund. */
export const eventTypes = [succeeded, "charge.refunded", "refund.updated", "refund.failed"] as const;

/** The fields of an event that are read. */
export const eventShape = z.object({
	id: z.string(),
	object: z.literal("event"),
	type: z.string(),
	data: z.object({ object: z.looseObject({}) }),
});
export type Event = z.infer<typeof eventShape>;

/** The fields that are read of an event's PaymentIntent, of its charge, which has the same metadata, or of its refund,
 *  which has none. */
const objectShape = z.object({
	id: z.string(),
	payment_intent: z.optional(z.unknown()),
	metadata: z.nullish(z.object({ shop: z.optional(z.string()) })),
});

/** Handles an event. Stripe delivers events at least once and in any order, so an event only triggers a check of its
 *  payment. Returns the payment and the outcome of its check, or null if it was not checked: retrieving other shops'
 *  payments would delay this shop's, and an order that is already paid or refunded needs none after a success. A success
 *  without an order that it can mark as paid is logged as an error. Rejects if D1 or Stripe fails, or if the secret key is
 *  another account's: Stripe sends the event again for days. */
export async function handleEvent(
	payments: Payments,
	event: Pick<Event, "type" | "data">,
): Promise<{ payment_intent: string; outcome: Fulfillment } | null> {
	const payment = findPayment(event);
	if (!payment) return null;
	const { id, shop, isRefund } = payment;
	// events about a refund that has changed have no metadata
	if (!(await isOurs(payments, id, shop))) return null;
	const order = isRefund ? null : await findOrder(payments.primary, id);
	if (order && hasBeenPaid(order)) {
		// the request that marked it as paid may have been interrupted before it did this
		payments.notifyFeed(order.userId);
		return null;
	}
	const intent = await retrievePaymentIntent(payments.stripe, id);
	if (!intent) throw new Error(`Set the STRIPE_SECRET_KEY of the account that has ${id}.`);
	const outcome = await fulfillIntent(payments, intent, isRefund);
	if (!isRefund && outcome === "unmatched") reportUnmatched(id);
	return { payment_intent: id, outcome };
}

/** Returns the payment that an event is about, or null if the shop does not handle the event or it names no payment. */
export function findPayment({ type, data }: Pick<Event, "type" | "data">) {
	const object = objectShape.safeParse(data.object).data;
	if (!object || !eventTypes.some((handled) => handled === type)) return null;
	const isRefund = type !== succeeded;
	const id = String(isRefund ? object.payment_intent : object.id);
	return paymentIntentIdPattern.test(id) ? { id, shop: object.metadata?.shop, isRefund } : null;
}
