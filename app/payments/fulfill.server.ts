import { and, eq, sql } from "drizzle-orm";
import type Stripe from "stripe";
import { retryOnce } from "#app/http/databases.server.ts";
import { log } from "#app/http/log.server.ts";
import { hasBeenPaid, isPlaced, orders, refundedOf } from "#drizzle/schema.ts";
import { copyOrder, hasCopy } from "./order-copy.server.ts";
import { isOurs, latestCharge, retrievePaymentIntent } from "./payment-intents.server.ts";
import { recordRefunds } from "./refund.server.ts";
import type { Payments } from "./stripe-api.server.ts";

export type Fulfillment =
	| "paid"
	/** Refunds cover the full amount. The bank may not have the money yet. */
	| "refunded"
	/** Stripe is still processing the charge. */
	| "processing"
	/** Not charged yet; can still be paid. Also any payment that is another shop's. */
	| "unpaid"
	/** Not charged; can no longer be paid. */
	| "canceled"
	/** Paid, but there is no order that it can mark as paid. An operator decides. */
	| "unmatched";

/** Marks a payment's order as paid if the payment has succeeded at Stripe, the only source of truth. Returns "unknown" if
 *  Stripe has no such payment, for example with the keys of another account. Idempotent and safe to call concurrently.
 *  Rejects when D1 or Stripe fails. */
export async function fulfill(payments: Payments, paymentIntentId: string): Promise<Fulfillment | "unknown"> {
	const intent = await retrievePaymentIntent(payments.stripe, paymentIntentId);
	return intent ? fulfillIntent(payments, intent) : "unknown";
}

/** Fulfills a PaymentIntent that was just retrieved. No other code marks an order as paid. The UPDATE's condition lets
 *  only one of several concurrent callers change the order. First records the refunds of a payment that is refunded in
 *  full, or always if `recordsRefunds` is true. If refunds cover the amount, the order is marked as refunded instead.
 *  After the response, copies the order to the metadata of a payment that has no copy. */
export async function fulfillIntent(
	payments: Payments,
	intent: Stripe.PaymentIntent,
	recordsRefunds = false,
): Promise<Fulfillment> {
	const { primary, notifyFeed, waitUntil } = payments;
	const { id, status, amount_received: amount } = intent;
	if (!(await isOurs(payments, id, intent.metadata["shop"]))) return "unpaid";
	if (status === "canceled") return "canceled";
	if (status === "processing") return "processing";
	if (status !== "succeeded") return "unpaid";
	const isRefunded = latestCharge(intent)?.refunded;
	if (isRefunded || recordsRefunds) await recordRefunds(payments, id);

	const isThisOrder = eq(orders.paymentIntentId, id);
	const isPaidFor = and(eq(orders.amount, amount), eq(orders.currency, intent.currency));
	const [changed, [order]] = await retryOnce(() =>
		primary.batch([
			primary
				.update(orders)
				.set({ status: sql`case when ${refundedOf(id)} >= ${amount} then 'refunded' else 'paid' end` })
				.where(and(isThisOrder, isPlaced(orders), isPaidFor))
				.returning({ status: orders.status }),
			primary.select({ status: orders.status, userId: orders.userId }).from(orders).where(isThisOrder),
		]),
	);
	for (const { status } of changed) log("fulfilled", { payment_intent: id, amount, status });
	// even if another request changed the order: it may have been interrupted before it did this
	if (order && hasBeenPaid(order)) {
		notifyFeed(order.userId);
		if (!hasCopy(intent)) waitUntil(copyOrder(payments, id));
		return order.status;
	}
	return isRefunded ? "refunded" : "unmatched";
}

/** Logs that a payment has succeeded and has no order that it can mark as paid. */
export function reportUnmatched(paymentIntentId: string): void {
	const action = "Store its order, or refund it: docs/incidents.md#paid_without_order";
	log("paid_without_order", { payment_intent: paymentIntentId, action }, "error");
}
