import { and, eq, sql } from "drizzle-orm";
import type Stripe from "stripe";
import { retryOnce } from "#app/http/databases.server.ts";
import { log } from "#app/http/log.server.ts";
import { orders, refunds } from "#drizzle/schema.ts";
import type { Payments } from "./payments.server.ts";
import { recordRefunds } from "./refund.server.ts";
import { retrievePaymentIntent } from "./stripe.server.ts";

export type Fulfillment =
	| "paid"
	/** All of the money was refunded. */
	| "refunded"
	/** The refund is recorded, and has not arrived yet. */
	| "refunding"
	/** Stripe is still processing the charge. */
	| "processing"
	/** Not charged so far, but it still can be. */
	| "unpaid"
	/** Not charged, and it can no longer be. */
	| "canceled"
	/** Stripe has the money, and there is no order of that amount. Reconcile resolves it. */
	| "unmatched";

/** Makes the order of a payment paid if Stripe has taken its money. Idempotent, and safe to call concurrently: the
 *  payment's current state at Stripe is the only source of truth. Rejects when D1 or Stripe fails. */
export async function fulfill(payments: Payments, paymentIntentId: string): Promise<Fulfillment> {
	const intent = await retrievePaymentIntent(payments.stripe, paymentIntentId);
	return intent ? fulfillIntent(payments, intent) : "unpaid";
}

/** Does the same with a PaymentIntent that has just been retrieved. This is the only code that makes an order paid. The
 *  condition in the UPDATE lets one of many callers win, and a refund that was recorded first wins over all of them. */
export async function fulfillIntent(payments: Payments, intent: Stripe.PaymentIntent): Promise<Fulfillment> {
	const { account, primary, notifyFeed } = payments;
	if (intent.metadata["shop"] !== account.shopId || intent.currency !== "usd") return "unpaid";
	if (intent.status === "canceled") return "canceled";
	if (intent.status === "processing") return "processing";
	if (intent.status !== "succeeded") return "unpaid";
	const refunded = isRefunded(intent) && (await recordRefunds(payments, intent));
	if (refunded) return refunded;

	const isThisOrder = eq(orders.paymentIntentId, intent.id);
	const refund = primary.select({ status: refunds.status }).from(refunds).where(eq(refunds.paymentIntentId, intent.id));
	const [changed, [order], [recorded]] = await retryOnce(() =>
		primary.batch([
			primary
				.update(orders)
				.set({ status: sql`case when exists ${refund} then 'refunded' else 'paid' end`, placedFrom: null })
				.where(and(isThisOrder, eq(orders.status, "placed"), eq(orders.amount, intent.amount_received)))
				.returning({ status: orders.status }),
			primary.select({ status: orders.status, userId: orders.userId }).from(orders).where(isThisOrder),
			refund,
		]),
	);
	for (const { status } of changed) {
		log("fulfilled", { payment_intent: intent.id, amount: intent.amount_received, status });
	}
	if (order?.status === "paid" || order?.status === "refunded") {
		// also when another caller changed it, who may have died before notifying
		await notifyFeed(order.userId);
		return recorded?.status === "pending" ? "refunding" : order.status;
	}
	if (recorded?.status === "pending") return "refunding";
	if (recorded?.status === "succeeded") return "refunded";
	log("unmatched_payment", { payment_intent: intent.id, order: order?.status ?? null }, "error");
	return "unmatched";
}

function isRefunded({ latest_charge: charge }: Stripe.PaymentIntent): boolean {
	return typeof charge === "object" && charge !== null && charge.refunded;
}
