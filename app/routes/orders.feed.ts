import { customerContext, sessionContext } from "#app/auth/customer.server.ts";
import { problem } from "#app/http/error-response.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { connect } from "#app/orders/feed.server.ts";
import { servicesContext } from "#app/services.server.ts";
import type { Route } from "./+types/orders.feed";

/** GET /orders/feed, a WebSocket: says "changed" whenever the customer's orders have changed. The guard has seen to it
 *  that it is one, and one of our own pages that asks. */
export function loader({ context }: Route.LoaderArgs) {
	const [customer, session] = [context.get(customerContext), context.get(sessionContext)];
	if (!customer || !session) return problem(401, "sign_in_required", "Sign in to follow your orders.");
	const services = context.get(servicesContext);
	return withFallback(
		services.timeouts.feed,
		() => connect(services, customer, session),
		() => problem(503, "unavailable", "There is no news at the moment. Please load the page again."),
	);
}
