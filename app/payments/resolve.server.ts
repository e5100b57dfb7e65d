import type Stripe from "stripe";
import { log } from "#app/http/log.server.ts";
import { findOrder } from "#app/orders/orders.server.ts";
import { fulfillIntent } from "./fulfill.server.ts";
import { toOwnerMetadata } from "./order-metadata.server.ts";
import type { Payments } from "./payments.server.ts";
import { rebuildOrder } from "./rebuild.server.ts";
import { recordRefunds, refundPayment } from "./refund.server.ts";
import { retrievePaymentIntent } from "./stripe.server.ts";

/** Minimum age of a charge before it is refunded because it has no order, in seconds. The order may still be stored. */
const refundDelay = 3 * 60;

/** Resolves a payment to a paid order or a refund. If the metadata contains a copy of the order, rebuilds the order and
 *  never starts a refund. Without a copy, our page never placed an order, so the payment is refunded if `mayRefund`
 *  allows it. In both cases, fulfilling the payment again determines the outcome. Returns whether the payment is
 *  resolved. Rejects when D1 or Stripe fails. */
export async function resolvePayment(payments: Payments, id: string, mayRefund: () => boolean): Promise<boolean> {
	const intent = await retrievePaymentIntent(payments.stripe, id);
	if (intent?.metadata["shop"] !== payments.account.shopId) return true;
	const first = await fulfillIntent(payments, intent);
	if (first === "processing") return false;
	if (first === "paid" || first === "unpaid" || first === "canceled") return copyOwner(payments, intent);

	const hasCopy = await rebuildOrder(payments, intent);
	const isLate = chargedAt(intent) > payments.now() - refundDelay;
	if (first === "refunded") await recordRefunds(payments, intent);
	else if (first === "refunding" || (!hasCopy && !isLate && mayRefund())) await refundPayment(payments, intent);
	const outcome = await fulfillIntent(payments, intent);
	if (hasCopy && outcome === "unmatched") log("payment_undecided", { payment_intent: id }, "error");
	return outcome === "paid" || outcome === "refunded";
}

/** Updates the owner in the intent's metadata if an account has claimed the order. Returns false while the order is
 *  unpaid, because its next attempt may change the owner. */
async function copyOwner({ stripe, primary }: Payments, { id, metadata }: Stripe.PaymentIntent): Promise<boolean> {
	const order = await findOrder(primary, id);
	if (order?.status === "placed") return false;
	if (order?.status !== "abandoned" && order?.userId && order.userId !== metadata["user_id"]) {
		await stripe.paymentIntents.update(id, {
			metadata: toOwnerMetadata({ userId: order.userId, guestTokenHash: null }),
		});
	}
	return true;
}

function chargedAt({ latest_charge: charge, created }: Stripe.PaymentIntent): number {
	return typeof charge === "object" && charge !== null ? charge.created : created;
}
