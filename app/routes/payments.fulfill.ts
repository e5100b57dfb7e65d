import { readJson } from "#app/http/request-body.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { bindOrder } from "#app/orders/claim.server.ts";
import { listOwners } from "#app/orders/owner.server.ts";
import { pollPayment } from "#app/payments/poll.server.ts";
import { fulfillShape, paymentError } from "#app/payments/shop-api.server.ts";
import { openPayments } from "#app/payments/stripe-api.server.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import type { Route } from "./+types/payments.fulfill";

/** POST /payments/fulfill and /payments/outcome: called after the browser has confirmed the card, and to poll. Only
 *  `canceled` means that the card was not charged; after `not_paid`, the payment can still succeed. `created`, set for
 *  `paid`, is when the PaymentIntent was created, in Unix seconds. */
export async function action({ request, context }: Route.ActionArgs) {
	const payment = await readJson(request, fulfillShape);
	const opened = context.get(requestContext);
	const { services, cookies, authenticate } = opened;

	return withFallback(
		services.timeouts.work,
		async () => {
			const payments = openPayments(opened);
			const id = paymentIntentIdOf(payment.clientSecret);
			const [session, polled] = await Promise.all([authenticate(), pollPayment(payments, payment)]);
			if (!polled) return paymentError("unknown_payment_intent");
			const { result, created, intentStatus, order } = polled;
			if (result === "canceled") return paymentError(result);
			if (result === "unpaid") return paymentError("not_paid", { intentStatus });
			const userId = session?.userId ?? null;
			// only to a token that was sent: a late request would take the order from one that the browser has received since
			const isBound = await bindOrder(payments.primary, id, listOwners(userId, cookies), order);
			if (isBound) payments.notifyFeed(userId);
			return result === "checking"
				? checking()
				: Response.json({ status: result, ...(result === "paid" && { created }) });
		},
		checking,
	);
}

const checking = () => Response.json({ status: "checking" }, { status: 202 });
