import * as z from "zod/mini";
import { authenticate } from "#app/auth/customer.server.ts";
import { maxBasketItems } from "#app/basket/basket.ts";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { errorResponse } from "#app/http/error-response.server.ts";
import { addressOf } from "#app/http/rate-limit.server.ts";
import { readJson } from "#app/http/request-body.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { ensureOwner } from "#app/orders/owner.server.ts";
import { clientSecretShape, signatureShape } from "#app/payments/client-secret.server.ts";
import { openPayments } from "#app/payments/payments.server.ts";
import { place } from "#app/payments/place.server.ts";
import { servicesContext } from "#app/services.server.ts";
import type { Route } from "./+types/payments.place";

const id = z.string().check(z.maxLength(40));
const body = z.object({
	clientSecret: clientSecretShape,
	signature: signatureShape,
	attempt: z._default(z.int().check(z.gte(1), z.lte(1_000_000)), 1),
	productIds: z.array(id).check(z.minLength(1), z.maxLength(maxBasketItems)),
	/** The id of the customer whom the page greets; null for a guest. */
	customer: z.nullable(id),
});

/** POST /payments/place: stores the order, just before the browser confirms the card. Nothing is charged here. */
export async function action({ request, context }: Route.ActionArgs) {
	const order = await readJson(request, body);
	const { customer } = await authenticate(request, context);
	if (order.customer !== (customer?.id ?? null)) {
		return errorResponse(409, "identity_changed", "You signed in or out in another tab. You have not been charged.");
	}
	const services = context.get(servicesContext);

	return withFallback(
		services.timeouts.request,
		async () => {
			const placed = await place(openPayments(services, context.get(databasesContext).primary), {
				...order,
				address: addressOf(request),
				owner: () => ensureOwner(customer, context.get(cookiesContext)),
			});
			if (typeof placed === "object") {
				return errorResponse(409, "price_changed", "A price has changed. You have not been charged.", {
					prices: placed.prices,
				});
			}
			return answers[placed]();
		},
		() => errorResponse(503, "not_charged", "We can't take payments right now. You have not been charged."),
	);
}

const answers = {
	placed: () => Response.json({ status: "placed" }),
	unknown_product: () => errorResponse(400, "unknown_product", "One of these products is not in the catalog."),
	unknown_payment_intent: () =>
		errorResponse(404, "unknown_payment_intent", "This payment no longer exists. You have not been charged."),
	payment_intent_gone: () =>
		errorResponse(409, "payment_intent_gone", "This payment has expired. You have not been charged. Please try again."),
	already_paid: () => errorResponse(409, "already_paid", "This basket has already been paid for."),
	too_many_unpaid: () => {
		const message =
			"There are too many unpaid orders from your network. You have not been charged. Please try again in an hour.";
		const refusal = errorResponse(429, "too_many_unpaid", message);
		refusal.headers.set("Retry-After", String(60 * 60));
		return refusal;
	},
	superseded: () => errorResponse(409, "superseded", "A newer attempt to pay has replaced this one."),
};
