import type { findOrder } from "#app/orders/orders.server.ts";
import type { PollResult } from "#app/orders/waiting-order.server.ts";
import { hasBeenPaid } from "#drizzle/schema.ts";
import { cancelPayment } from "./cancel.server.ts";
import { type Fulfillment, fulfill, fulfillIntent } from "./fulfill.server.ts";
import { findPaymentIntent, type Payments } from "./payments.server.ts";

/** Fulfills the payment of an order. */
export async function pollOrder(payments: Payments, paymentIntentId: string): Promise<PollResult> {
	return resultOf(await fulfill(payments, paymentIntentId));
}

/** Fulfills the payment with this client secret. Returns the result, when the PaymentIntent was created, and its status
 *  at Stripe if the result is not final; null if this shop has no such payment. Does not call Stripe if `order`, which is
 *  null unless the signature is valid, is paid or refunded. If `cancel` is true, cancels a payment that is still unpaid. */
export async function pollPayment(
	payments: Payments,
	order: Awaited<ReturnType<typeof findOrder>>,
	{ clientSecret, cancel }: { clientSecret: string; cancel?: boolean | undefined },
): Promise<{ result: PollResult; created: number; intentStatus?: string } | null> {
	if (order && hasBeenPaid(order)) {
		await payments.notifyFeed(order.userId);
		return { result: order.status, created: order.created };
	}
	const intent = await findPaymentIntent(payments, clientSecret);
	if (!intent) return null;
	const { id, created, status: intentStatus } = intent;
	const result = resultOf(await fulfillIntent(payments, intent));
	if (result !== "unpaid" || !cancel) return { result, created, intentStatus };
	const isCanceled = await cancelPayment(payments, id);
	return { result: isCanceled ? "canceled" : await pollOrder(payments, id), created };
}

function resultOf(outcome: Fulfillment | "unknown"): PollResult {
	switch (outcome) {
		case "paid":
		case "refunded":
		case "unpaid":
		case "canceled":
			return outcome;
		case "refunding":
			return "refunded";
		case "processing":
		case "refund_failed":
		case "unmatched":
		case "unknown":
			return "checking";
	}
}
