import type Stripe from "stripe";
import { findOrder } from "#app/orders/orders.server.ts";
import { fulfillIntent } from "./fulfill.server.ts";
import { toOwnerMetadata } from "./order-metadata.server.ts";
import type { Payments } from "./payments.server.ts";
import { rebuildOrder } from "./rebuild.server.ts";
import { type RefundBudget, recordRefunds, refundPayment } from "./refund.server.ts";
import { retrievePaymentIntent } from "./stripe.server.ts";

/** Minimum age of a charge before it is refunded because it has no order, in seconds. The order may still be stored. */
const refundDelay = 3 * 60;

export type Resolution =
	/** There is nothing left to do, or only an operator can do it. */
	| "resolved"
	/** Not decided yet. A later attempt may resolve the payment. */
	| "pending"
	/** Not attempted in full, because the run has requested as many refunds as it may. */
	| "postponed"
	/** Paid, but its order cannot be stored or has another amount. An operator decides. */
	| "undecided";

/** Resolves a payment to a paid order or a refund. If the metadata contains a copy of the order, rebuilds the order if
 *  the shop has signed it, and never starts a refund. Without a copy, our page never placed an order, so the payment is refunded within the run's
 *  `budget`. In both cases, fulfilling the payment again determines the outcome. A refund that failed is never
 *  repeated. Rejects when D1 or Stripe fails. */
export async function resolvePayment(payments: Payments, id: string, budget: RefundBudget): Promise<Resolution> {
	const intent = await retrievePaymentIntent(payments.stripe, id);
	if (intent?.metadata["shop"] !== payments.account.shopId) return "resolved";
	const first = await fulfillIntent(payments, intent);
	if (first === "processing") return "pending";
	if (first === "paid" || first === "unpaid" || first === "canceled") return copyOwner(payments, intent);

	const hasCopy = await rebuildOrder(payments, intent);
	if (first === "refunded" || first === "refund_failed") await recordRefunds(payments, intent);
	else if (first === "refunding") await refundPayment(payments, intent, budget);
	else if (!hasCopy) {
		if (chargedAt(intent) > payments.now() - refundDelay) return "pending";
		if (budget.left <= 0) return "postponed";
		await refundPayment(payments, intent, budget);
	}
	const outcome = await fulfillIntent(payments, intent);
	if (outcome === "unmatched") return "undecided";
	return outcome === "refunding" ? "pending" : "resolved";
}

/** Updates the owner in the intent's metadata if an account has claimed the order. Pending while the order is unpaid,
 *  because an account may still claim it. */
async function copyOwner({ stripe, primary }: Payments, { id, metadata }: Stripe.PaymentIntent): Promise<Resolution> {
	const order = await findOrder(primary, id);
	if (order?.status === "placed") return "pending";
	if (order?.status !== "abandoned" && order?.userId && order.userId !== metadata["user_id"]) {
		await stripe.paymentIntents.update(id, {
			metadata: toOwnerMetadata({ userId: order.userId, guestTokenHash: null }),
		});
	}
	return "resolved";
}

function chargedAt({ latest_charge: charge, created }: Stripe.PaymentIntent): number {
	return typeof charge === "object" && charge !== null ? charge.created : created;
}
