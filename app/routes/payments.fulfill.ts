import type * as z from "zod/mini";
import { authenticate } from "#app/auth/customer.server.ts";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { readJson } from "#app/http/request-body.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { bindOrder, findOrder, isBindable } from "#app/orders/orders.server.ts";
import { ensureOwner } from "#app/orders/owner.server.ts";
import { type FulfillResponse, fulfillShape, paymentError, paymentIntentIdOf } from "#app/payments/api.server.ts";
import { cancelPayment } from "#app/payments/cancel.server.ts";
import { type Fulfillment, fulfill, fulfillIntent } from "#app/payments/fulfill.server.ts";
import { openPayments, type Payments } from "#app/payments/payments.server.ts";
import { readSignature } from "#app/payments/signature.server.ts";
import { findPaymentIntent } from "#app/payments/stripe.server.ts";
import { servicesContext } from "#app/services.server.ts";
import type { Route } from "./+types/payments.fulfill";

/** POST /payments/fulfill: called after the browser has confirmed the card, and to poll. Only `canceled` means that the
 *  card was not charged; after `not_paid`, the payment can still succeed. */
export async function action({ request, context }: Route.ActionArgs) {
	const payment = await readJson(request, fulfillShape);
	const services = context.get(servicesContext);
	const { primary } = context.get(databasesContext);

	return withFallback(
		services.timeouts.request,
		async () => {
			const payments = openPayments(services, primary);
			const id = paymentIntentIdOf(payment.clientSecret);
			const isSigned = readSignature(payments.account, payment.clientSecret, payment.signature) !== null;
			const [{ customer }, order] = await Promise.all([
				authenticate(request, context),
				isSigned ? findOrder(primary, id) : null,
			]);
			const found = await findOutcome(payments, id, order, payment);
			if (!found) return paymentError(404, "unknown_payment_intent", "There is no such payment.");
			const { outcome, intentStatus } = found;
			if (outcome === "canceled")
				return paymentError(409, outcome, "This payment was canceled. You have not been charged.");
			if (outcome === "unpaid")
				return paymentError(409, "not_paid", "This payment is not paid so far.", { intentStatus });
			const owner = ensureOwner(customer?.id ?? null, context.get(cookiesContext));
			const mayBind = !order || isBindable(order, owner);
			if (mayBind && (await bindOrder(primary, id, owner, payments.now()))) await payments.notifyFeed(owner.userId);
			if (outcome === "paid") return respond(outcome);
			return respond(outcome === "refunded" || outcome === "refunding" ? "refunded" : "checking");
		},
		() => respond("checking"),
	);
}

function respond(status: FulfillResponse["status"]): Response {
	return Response.json({ status }, { status: status === "checking" ? 202 : 200 });
}

/** Returns the payment's outcome, with the PaymentIntent's status if it was retrieved, or null if this shop has no
 *  payment with this client secret. Does not call Stripe if `order`, which is null unless the signature is valid, is
 *  paid or refunded. */
async function findOutcome(
	payments: Payments,
	id: string,
	order: Awaited<ReturnType<typeof findOrder>>,
	{ clientSecret, cancel }: z.infer<typeof fulfillShape>,
): Promise<{ outcome: Fulfillment; intentStatus?: string } | null> {
	if (order?.status === "paid" || order?.status === "refunded") {
		await payments.notifyFeed(order.userId);
		return { outcome: order.status };
	}
	const intent = await findPaymentIntent(payments, clientSecret);
	if (!intent) return null;
	const outcome = await fulfillIntent(payments, intent);
	if (outcome !== "unpaid" || !cancel) return { outcome, intentStatus: intent.status };
	return { outcome: (await cancelPayment(payments, id)) ? "canceled" : await fulfill(payments, id) };
}
