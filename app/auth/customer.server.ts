import { retryOnce } from "#app/http/databases.server.ts";
import { isPrefetch } from "#app/http/prefetch.server.ts";
import type { RequestContext } from "#app/http/request-context.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { extendSession, findSession, isHalfOver, type Session, sessionCookieName } from "./sessions.server.ts";

/** A signed-in shopper. */
export interface Customer {
	id: string;
	email: string;
}

/** Returns the session of the customer who sent the request, or null for a guest. Reads it from the nearest replica, or
 *  from the primary if the replica lacks it, because it may be behind, and for a POST request, because it may still
 *  have a session that has ended. A page deletes the cookie of an ended session, and extends one that is half over. */
export async function findSessionOf(
	request: Request,
	{ services, cookies, databases, waitUntil }: Pick<RequestContext, "services" | "cookies" | "databases" | "waitUntil">,
): Promise<Session | null> {
	const token = cookies.get(sessionCookieName);
	if (!token) return null;
	const find = (database: Database) => findSession(database, token);
	const isForm = request.method === "POST";
	const nearest = isForm ? null : await databases.readNearest(find);
	const session = nearest ?? (await retryOnce(() => find(databases.primary)));
	// a sign-in or sign-out sets the cookie itself
	if (isForm || isPrefetch(request) || !isNavigation(request)) return session;
	if (!session) cookies.forget(sessionCookieName);
	else if (isHalfOver(session)) {
		const extend = () => extendSession(databases.primary, cookies, token, session);
		waitUntil(withFallback(services.timeouts.work, extend, () => undefined));
	}
	return session;
}

/** Returns whether the request is a navigation. Only a navigation may delete or renew the cookie. A background request
 *  can overlap a sign-in in another tab: it was sent with the old token, and its late response would replace the new
 *  cookie. Old browsers send no Sec-Fetch-Dest, and some send none with a WebSocket. */
function isNavigation({ headers }: Request): boolean {
	return !headers.has("Upgrade") && (headers.get("Sec-Fetch-Dest") ?? "document") === "document";
}
