import type { CookieJar } from "#app/http/cookies.server.ts";
import type { Databases } from "#app/http/databases.server.ts";
import { isPrefetch } from "#app/http/prefetch.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { extendSession, findSession, type Session, sessionCookieName } from "./sessions.server.ts";

/** A signed-in shopper. */
export interface Customer {
	id: string;
	email: string;
}

/** The sender of a request. `customer` and `session` are null for a guest. */
export interface Visitor {
	customer: Customer | null;
	session: Session | null;
}

const guest: Visitor = { customer: null, session: null };

/** Returns the visitor who sent the request. Runs no query for a guest and one query for a customer: at the primary for
 *  a POST request, because a replica may still have a session that has ended. Deletes the cookie of an ended session,
 *  and extends a session in the second half of its lifetime. Rejects if D1 fails. */
export async function findVisitor(request: Request, cookies: CookieJar, databases: Databases): Promise<Visitor> {
	const token = cookies.get(sessionCookieName);
	if (!token) return guest;
	const find = (database: Database) => findSession(database, token);
	const session = await (request.method === "POST" ? find(databases.primary) : databases.readNearest(find));
	const isReadOnly = isPrefetch(request) || !isNavigation(request);
	if (!session) {
		if (!isReadOnly) cookies.forget(sessionCookieName);
		return guest;
	}
	if (!isReadOnly) await extendSession(databases.primary, cookies, token, session);
	return { customer: { id: session.userId, email: session.email }, session };
}

/** Returns whether the request is a navigation. Only a navigation may delete or renew the cookie. A background request
 *  can overlap a sign-in in another tab: it was sent with the old token, and its late response would replace the new
 *  cookie. Old browsers send no Sec-Fetch-Dest, and some send none with a WebSocket. */
function isNavigation({ headers }: Request): boolean {
	return !headers.has("Upgrade") && (headers.get("Sec-Fetch-Dest") ?? "document") === "document";
}
