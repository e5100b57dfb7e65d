import type * as z from "zod/mini";
import { isRateLimited } from "#app/http/rate-limit.server.ts";
import type { Services } from "#app/http/services.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { findOrder } from "#app/orders/find-order.server.ts";
import { type OrderPage, type OrderQuery, readOrderPage } from "#app/orders/order-page.server.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import { hasBeenPaid } from "#drizzle/schema.ts";
import { cancelPayment } from "./cancel.server.ts";
import { type Fulfillment, fulfill, fulfillIntent } from "./fulfill.server.ts";
import { findPaymentIntent } from "./payment-intents.server.ts";
import type { fulfillShape } from "./shop-api.server.ts";
import { readSignature } from "./shop-signature.server.ts";
import { type Opened, openPayments, type Payments } from "./stripe-api.server.ts";

/** What a shopper is told of a payment. `unpaid`: not charged yet; can still be paid. `canceled`: not charged; can no
 *  longer be paid. `checking`: unknown, or still being resolved. */
type PollResult = "paid" | "refunded" | "unpaid" | "canceled" | "checking";

function resultOf(outcome: Fulfillment | "unknown"): PollResult {
	const isUndecided = outcome === "processing" || outcome === "unmatched" || outcome === "unknown";
	return isUndecided ? "checking" : outcome;
}

/** Polls the payment of the newest unpaid order of a page of orders, unless that order or the client's `address` has
 *  been polled too often. Returns the page, read again if the order is now paid or refunded, and whether the payment
 *  is being checked. */
export async function completePage(
	opened: Opened & { services: Services },
	page: OrderPage,
	query: OrderQuery,
	address: string,
): Promise<OrderPage & { checking: boolean }> {
	const { services, databases } = opened;
	const { waiting } = page;
	if (waiting === null) return { ...page, checking: false };
	const undecided = { ...page, checking: true };
	return withFallback(
		services.timeouts.work,
		async () => {
			for (const key of [waiting, `from ${address}`]) if (await isRateLimited(services, "order", key)) return undecided;
			const result = resultOf(await fulfill(openPayments(opened), waiting));
			const isOver = result === "paid" || result === "refunded";
			return { ...(isOver ? await readOrderPage(databases.primary, query) : page), checking: result === "checking" };
		},
		() => undecided,
	);
}

/** Fulfills the payment with this client secret. The tab decides when (checkout/purchase-work.ts). Returns its result,
 *  its creation time and, if it was needed, its status at Stripe; null if this shop has no such payment. If `cancel` is
 *  true, cancels a payment that is still unpaid. With a valid signature, reads the order while it retrieves the
 *  PaymentIntent, does not wait for Stripe if the order is paid or refunded, and returns the order as it was before. */
export async function pollPayment(
	payments: Payments,
	{ clientSecret, signature, cancel }: z.output<typeof fulfillShape>,
) {
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
	const outcome = await fulfillIntent(payments, intent);
	if (outcome !== "unpaid" || !cancel) return { result: resultOf(outcome), created, intentStatus, order };
	return { result: resultOf(await cancelPayment(payments, id)), created, order };
}
