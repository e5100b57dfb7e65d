import { readJson } from "#app/http/request-body.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { ownerToPlace } from "#app/orders/owner.server.ts";
import { paymentError, placeShape, refuse } from "#app/payments/api.server.ts";
import { openPayments } from "#app/payments/payments.server.ts";
import { place } from "#app/payments/place.server.ts";
import { requestContext } from "#app/request-context.server.ts";
import type { Route } from "./+types/payments.place";

/** POST /payments/place: stores the order just before the browser confirms the card. Charges nothing. */
export async function action({ request, context }: Route.ActionArgs) {
	const order = await readJson(request, placeShape);
	const { services, cookies, databases, authenticate } = context.get(requestContext);
	return withFallback(
		services.timeouts.work,
		async () => {
			const placed = await place(openPayments(services, databases.primary), {
				...order,
				owner: ownerToPlace(order.customer, cookies, order.clientSecret),
				customerId: authenticate().then(({ customer }) => customer?.id ?? null),
			});
			return responseTo(placed);
		},
		() => paymentError(503, "not_charged", "We can't take payments right now."),
	);
}

function responseTo(placed: Awaited<ReturnType<typeof place>>): Response {
	if (typeof placed === "object") {
		return paymentError(409, "price_changed", "A price has changed.", placed);
	}
	return placed === "placed" ? Response.json({ status: placed }) : refuse(placed);
}
