import { replace } from "react-router";
import { endSession } from "#app/auth/sessions.server.ts";
import { retryOnce } from "#app/http/databases.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { orUnavailable } from "#app/http/timeout.server.ts";
import { claimGuestOrders } from "#app/orders/claim.server.ts";
import { disconnectFeed } from "#app/orders/feed.server.ts";
import { replaceGuest } from "#app/orders/owner.server.ts";
import type { Route } from "./+types/logout";

/** POST /logout: ends the session and redirects to the page that submitted the form. */
export async function action({ request, context, url }: Route.ActionArgs) {
	const { services, cookies, databases, authenticate } = context.get(requestContext);
	const { work } = services.timeouts;
	const session = await orUnavailable(work, authenticate);
	// without the guest token, an order could no longer be claimed
	const isClaimed = session && (await claimGuestOrders(services, databases.primary, cookies, session.userId));
	await orUnavailable(work, () => retryOnce(() => endSession(databases.primary, cookies)));
	await disconnectFeed(services, session);
	if (isClaimed) replaceGuest(cookies);
	return replace(pageOf(request, url));
}

/** Returns the path of the page that submitted the form, or / if the page is unknown or on another site. Collapses
 *  leading slashes, because browsers read //another.site as a protocol-relative URL. */
function pageOf(request: Request, { origin }: URL): string {
	const referrer = URL.parse(request.headers.get("Referer") ?? "");
	return referrer?.origin === origin ? referrer.pathname.replace(/^\/+/, "/") : "/";
}
