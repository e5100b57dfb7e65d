import { errorResponse } from "#app/http/error-response.server.ts";
import { log, logError } from "#app/http/log.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { handleEvent } from "#app/payments/events.server.ts";
import { openPayments } from "#app/payments/stripe-api.server.ts";
import { verifyEvent } from "#app/payments/webhook.server.ts";
import type { Route } from "./+types/stripe.webhook";

/** POST /stripe/webhook: receives Stripe's events. Stripe retries each one until the status is 2xx, so an event
 *  of a type that the shop does not handle also gets 200. */
export async function action({ request, context }: Route.ActionArgs) {
	let id: string | undefined;
	try {
		const payments = openPayments(context.get(requestContext));
		const event = await verifyEvent(payments, request);
		if (!event) {
			const action = `Set STRIPE_WEBHOOK_SECRET to the signing secret of the endpoint on ${new URL(request.url).host}.`;
			if (request.headers.has("Stripe-Signature")) log("webhook_refused", { action }, "error");
			return errorResponse(400, "invalid_signature", "This is not an event that Stripe has signed.");
		}
		id = event.id;
		log("webhook", { stripe_event: id, type: event.type, ...(await handleEvent(payments, event)) });
		return Response.json({ received: true });
	} catch (error) {
		logError("webhook_failed", error, { stripe_event: id });
		return errorResponse(500, "webhook_failed", "Something failed here. Please send this event again.");
	}
}
