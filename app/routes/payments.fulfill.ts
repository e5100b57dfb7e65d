import { readJson } from "#app/http/request-body.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { bindOrder, findOrder, isBindable } from "#app/orders/orders.server.ts";
import { ensureOwner } from "#app/orders/owner.server.ts";
import { fulfillShape, paymentError } from "#app/payments/api.server.ts";
import { openPayments } from "#app/payments/payments.server.ts";
import { pollPayment } from "#app/payments/poll.server.ts";
import { readSignature } from "#app/payments/shop-signature.server.ts";
import { requestContext } from "#app/request-context.server.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import type { Route } from "./+types/payments.fulfill";

/** POST /payments/fulfill: called after the browser has confirmed the card, and to poll. Only `canceled` means that the
 *  card was not charged; after `not_paid`, the payment can still succeed. */
export async function action({ request, context }: Route.ActionArgs) {
	const payment = await readJson(request, fulfillShape);
	const { services, cookies, databases, authenticate } = context.get(requestContext);
	const { primary } = databases;

	return withFallback(
		services.timeouts.work,
		async () => {
			const payments = openPayments(services, primary);
			const id = paymentIntentIdOf(payment.clientSecret);
			const isSigned = readSignature(payments.account, payment.clientSecret, payment.signature) !== null;
			const [{ customer }, order] = await Promise.all([authenticate(), isSigned ? findOrder(primary, id) : null]);
			const polled = await pollPayment(payments, order, payment);
			if (!polled) return paymentError(404, "unknown_payment_intent", "There is no such payment.");
			const { result, created, intentStatus } = polled;
			if (result === "canceled") return paymentError(409, result, "This payment was canceled.");
			if (result === "unpaid")
				return paymentError(409, "not_paid", "This payment is not paid so far.", { intentStatus });
			const owner = ensureOwner(customer?.id ?? null, cookies);
			const mayBind = !order || isBindable(order, owner);
			if (mayBind && (await bindOrder(primary, id, owner, payments.now()))) await payments.notifyFeed(owner.userId);
			return respond({ status: result, ...(result === "paid" && { created }) });
		},
		() => respond({ status: "checking" }),
	);
}

/** `created` is set for paid: when the PaymentIntent was created, in Unix seconds. */
function respond(body: { status: "paid" | "refunded" | "checking"; created?: number }): Response {
	return Response.json(body, { status: body.status === "checking" ? 202 : 200 });
}
