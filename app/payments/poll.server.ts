import type { FoundOrder } from "#app/orders/find-order.server.ts";
import type { PollResult } from "#app/orders/order-page.server.ts";
import { hasBeenPaid } from "#drizzle/schema.ts";
import { cancelPayment } from "./cancel.server.ts";
import { type Fulfillment, fulfill, fulfillIntent } from "./fulfill.server.ts";
import { findPaymentIntent } from "./is-ours.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** What the shopper is told while a payment is fulfilled; any other outcome means that it is being checked. */
const results: Partial<Record<Fulfillment | "unknown", PollResult>> = {
	paid: "paid",
	refunded: "refunded",
	refunding: "refunded",
	unpaid: "unpaid",
	canceled: "canceled",
};

/** Fulfills the payment of an order. Returns its result for the shopper. */
export async function pollOrder(payments: Payments, paymentIntentId: string): Promise<PollResult> {
	return results[await fulfill(payments, paymentIntentId)] ?? "checking";
}

/** Fulfills the payment with this client secret. The tab decides when (checkout/purchase-work.ts). Returns its result, the
 *  PaymentIntent's creation in Unix seconds, and its status at Stripe if it was retrieved and not canceled; null if this
 *  shop has no such payment. Does not call Stripe if `order`, which is null unless the signature is valid, is paid or
 *  refunded. If `cancel` is true, cancels a payment that is still unpaid. */
export async function pollPayment(
	payments: Payments,
	order: FoundOrder | null,
	{ clientSecret, cancel }: { clientSecret: string; cancel?: boolean | undefined },
): Promise<{ result: PollResult; created: number; intentStatus?: string } | null> {
	if (order && hasBeenPaid(order)) {
		await payments.notifyFeed(order.userId);
		return { result: order.status, created: order.created };
	}
	const intent = await findPaymentIntent(payments, clientSecret);
	if (!intent) return null;
	const { id, created, status: intentStatus } = intent;
	const result = results[await fulfillIntent(payments, intent)] ?? "checking";
	if (result !== "unpaid" || !cancel) return { result, created, intentStatus };
	return { result: (await cancelPayment(payments, id)) ? "canceled" : await pollOrder(payments, id), created };
}
