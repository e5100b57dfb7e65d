import { authenticate } from "#app/auth/customer.server.ts";
import { sessionCookieName } from "#app/auth/lucia.server.ts";
import { sessionCustomer } from "#app/auth/session-customer.server.ts";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { addressOf } from "#app/http/rate-limit.server.ts";
import { readJson } from "#app/http/request-body.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { ensureOwner } from "#app/orders/owner.server.ts";
import { paymentError, placeRefusals, placeShape } from "#app/payments/api.server.ts";
import { openPayments } from "#app/payments/payments.server.ts";
import { type Placed, place } from "#app/payments/place.server.ts";
import { servicesContext } from "#app/services.server.ts";
import type { Route } from "./+types/payments.place";

/** POST /payments/place: stores the order just before the browser confirms the card. Charges nothing. */
export async function action({ request, context }: Route.ActionArgs) {
	const order = await readJson(request, placeShape);
	const services = context.get(servicesContext);
	const cookies = context.get(cookiesContext);
	return withFallback(
		services.timeouts.request,
		async () => {
			const placed = await place(openPayments(services, context.get(databasesContext).primary), {
				...order,
				address: addressOf(request),
				owner: ensureOwner(order.customer, cookies),
				sender: sessionCustomer(cookies.get(sessionCookieName), services.now()),
				isSenders: async () => {
					const { customer } = await authenticate(request, context);
					return (customer?.id ?? null) === order.customer;
				},
			});
			return responseTo(placed);
		},
		() => paymentError(503, "not_charged", "We can't take payments right now. You have not been charged."),
	);
}

function responseTo(placed: Placed): Response {
	if (typeof placed === "object") {
		return paymentError(409, "price_changed", "A price has changed. You have not been charged.", placed);
	}
	if (placed === "placed") return Response.json({ status: placed });
	const [status, message] = placeRefusals[placed];
	const response = paymentError(status, placed, message);
	if (status === 429) response.headers.set("Retry-After", String(60 * 60));
	return response;
}
