import { readJson } from "#app/http/request-body.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { ownerToPlace } from "#app/orders/owner.server.ts";
import { place } from "#app/payments/place.server.ts";
import { paymentError, placeShape } from "#app/payments/shop-api.server.ts";
import { openPayments } from "#app/payments/stripe-api.server.ts";
import type { Route } from "./+types/payments.place";

/** POST /payments/place: stores the order just before the browser confirms the card. Charges nothing. */
export async function action({ request, context }: Route.ActionArgs) {
	const order = await readJson(request, placeShape);
	const opened = context.get(requestContext);
	const { services, cookies, authenticate } = opened;
	return withFallback(
		services.timeouts.work,
		async () => {
			const placed = await place(openPayments(opened), {
				...order,
				owner: ownerToPlace(order.customer, cookies, order.clientSecret),
				customerId: authenticate().then((session) => session?.userId ?? null),
			});
			if (placed === "placed") return Response.json({ status: placed });
			return typeof placed === "object" ? paymentError("price_changed", placed) : paymentError(placed);
		},
		() => paymentError("not_charged"),
	);
}
