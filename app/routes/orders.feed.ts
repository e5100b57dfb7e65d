import { errorResponse } from "#app/http/error-response.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { orUnavailable, withFallback } from "#app/http/timeout.server.ts";
import { connectFeed } from "#app/orders/feed.server.ts";
import type { Route } from "./+types/orders.feed";

/** GET /orders/feed: opens a WebSocket that receives "changed" whenever the customer's orders change. */
export async function loader({ context }: Route.LoaderArgs) {
	const { services, authenticate } = context.get(requestContext);
	const session = await orUnavailable(services.timeouts.work, authenticate);
	if (!session) return errorResponse(401, "sign_in_required", "Sign in to follow your orders.");
	return withFallback(
		services.timeouts.feed,
		() => connectFeed(services, session),
		() => errorResponse(503, "unavailable", "Live updates are unavailable. Reload to try again."),
	);
}
