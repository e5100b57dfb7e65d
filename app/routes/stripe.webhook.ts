import { errorResponse } from "#app/http/error-response.server.ts";
import { log, logError } from "#app/http/log.server.ts";
import { handleEvent } from "#app/payments/events.server.ts";
import { openPayments } from "#app/payments/stripe-api.server.ts";
import { verifyEvent } from "#app/payments/webhook.server.ts";
import { requestContext } from "#app/request-context.server.ts";
import type { Route } from "./+types/stripe.webhook";

/** POST /stripe/webhook: receives Stripe's events. Stripe retries each one until the status is 2xx, so what the shop
 *  does not read also gets 200. */
export async function action({ request, context }: Route.ActionArgs) {
	let event: string | undefined;
	try {
		const payments = openPayments(context.get(requestContext));
		const sent = await verifyEvent(payments, request);
		if (!sent) {
			const action = `Set STRIPE_WEBHOOK_SECRET to the signing secret of the endpoint on ${new URL(request.url).host}.`;
			if (request.headers.has("Stripe-Signature")) log("webhook_refused", { action }, "error");
			return errorResponse(400, "invalid_signature", "This is not signed JSON from Stripe.");
		}
		event = sent.id;
		const handled = "data" in sent ? await handleEvent(payments, sent) : null;
		const payment = handled && { payment_intent: handled.paymentIntentId, outcome: handled.outcome };
		log("webhook", { stripe_event: sent.id, type: sent.type, ...payment });
		return Response.json({ received: true });
	} catch (error) {
		logError("webhook_failed", error, { stripe_event: event });
		return errorResponse(500, "webhook_failed", "Something failed here. Please send this event again.");
	}
}
