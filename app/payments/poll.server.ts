import { type FoundOrder, findOrder } from "#app/orders/find-order.server.ts";
import type { PollResult } from "#app/orders/order-page.server.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import { hasBeenPaid } from "#drizzle/schema.ts";
import { cancelPayment } from "./cancel.server.ts";
import { type Fulfillment, fulfill, fulfillIntent } from "./fulfill.server.ts";
import { findPaymentIntent } from "./payment-intents.server.ts";
import { readSignature } from "./shop-signature.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Returns what the shopper is told. */
function resultOf(outcome: Fulfillment | "unknown"): PollResult {
	const isUndecided = outcome === "processing" || outcome === "unmatched" || outcome === "unknown";
	return isUndecided ? "checking" : outcome;
}

/** Fulfills the payment of an order. Returns its result for the shopper. */
export async function pollOrder(payments: Payments, paymentIntentId: string): Promise<PollResult> {
	return resultOf(await fulfill(payments, paymentIntentId));
}

/** The payment with a client secret, as the shopper's browser polls it. */
interface Polled {
	result: PollResult;
	/** When the PaymentIntent was created, in Unix seconds. */
	created: number;
	/** Its status at Stripe, if it was needed and is not canceled. */
	intentStatus?: string;
	/** The order as it was before, or null if there is none or the request has no valid signature. */
	order: FoundOrder | null;
}

/** Fulfills the payment with this client secret. The tab decides when (checkout/purchase-work.ts). Returns null if this
 *  shop has no such payment. If `cancel` is true, cancels a payment that is still unpaid. With a valid signature, reads the
 *  order while it retrieves the PaymentIntent, and does not wait for Stripe if the order is paid or refunded. */
export async function pollPayment(
	payments: Payments,
	{ clientSecret, signature, cancel }: { clientSecret: string; signature: string; cancel?: boolean | undefined },
): Promise<Polled | null> {
	const isSigned = readSignature(payments.account, clientSecret, signature) !== null;
	const retrieving = findPaymentIntent(payments, clientSecret);
	// if D1 fails first, no one awaits it
	retrieving.catch(() => undefined);
	const order = isSigned ? await findOrder(payments.primary, paymentIntentIdOf(clientSecret)) : null;
	if (order && hasBeenPaid(order)) {
		payments.notifyFeed(order.userId);
		return { result: order.status, created: order.created, order };
	}
	const intent = await retrieving;
	if (!intent) return null;
	const { id, created, status: intentStatus } = intent;
	const result = resultOf(await fulfillIntent(payments, intent));
	if (result !== "unpaid" || !cancel) return { result, created, intentStatus, order };
	return { result: (await cancelPayment(payments, id)) ? "canceled" : await pollOrder(payments, id), created, order };
}
