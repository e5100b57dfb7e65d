import { createContext, type MiddlewareFunction } from "react-router";
import { type CookieJar, cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { isPrefetch } from "#app/http/prefetch.server.ts";
import { servicesContext } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { hashToken, maxSessionAge, openLucia, sessionCookieName, sessionLifetime } from "./lucia.server.ts";

/** Somebody who is signed in. */
export interface Customer {
	id: string;
	email: string;
}

/** Who is asking; null is a guest. */
export const customerContext = createContext<Customer | null>(null);

/** The session they are asking in, as the database knows it. */
interface CurrentSession {
	/** The hash of its token. */
	readonly id: string;
	/** What is left of it. */
	seconds: number;
}

export const sessionContext = createContext<CurrentSession | null>(null);

/** Authenticates the request before any loader or action runs: no query for a guest, one for a customer. Deletes the
 *  cookie of an invalid session, and renews that of an extended one. */
export const authenticate: MiddlewareFunction<Response> = async ({ request, context, pattern }) => {
	// a PaymentIntent is nobody's yet, and whoever waits for the card's form waits for nothing else
	if (pattern === "payments/create") return;
	const cookies = context.get(cookiesContext);
	const token = cookies.get(sessionCookieName);
	if (!token) return;
	const { now } = context.get(servicesContext);
	const isReadOnly = isPrefetch(request) || !isNavigation(request);
	const { session, user } = await context
		.get(databasesContext)
		.readNearest((database) => openLucia(database, now, { isReadOnly }).validateSession(token));
	if (!session) {
		if (!isReadOnly) cookies.forget(sessionCookieName);
		return;
	}
	context.set(customerContext, { id: user.id, email: user.email });
	const untilExpiry = (session.expiresAt.getTime() - Date.now()) / 1000;
	const seconds = Math.min(untilExpiry, session.createdAt + maxSessionAge - now());
	context.set(sessionContext, {
		// few ask, and a hash is work
		get id() {
			return hashToken(token);
		},
		seconds,
	});
	if (session.fresh) cookies.set(sessionCookieName, token, sessionLifetime.seconds());
};

/** Only a navigation may delete the cookie or renew it. A background request can overlap a sign-in in another tab: it was
 *  sent with the old token, and its late response would replace the new cookie. Old browsers send no Sec-Fetch-Dest. */
function isNavigation({ headers }: Request): boolean {
	return (headers.get("Sec-Fetch-Dest") ?? "document") === "document";
}

/** Signs the browser in with a token nobody has had before. A session it came with ends, so that a token planted by
 *  somebody else is worth nothing. */
export async function startSession(database: Database, cookies: CookieJar, now: () => number, userId: string) {
	const lucia = openLucia(database, now);
	await endSession(database, cookies, now);
	const session = await lucia.createSession(userId, { createdAt: now() });
	cookies.set(sessionCookieName, session.id, sessionLifetime.seconds());
}

/** Signs the browser out: the session is gone from the database, not merely from the cookie. */
export async function endSession(database: Database, cookies: CookieJar, now: () => number): Promise<void> {
	const token = cookies.get(sessionCookieName);
	if (token) await openLucia(database, now).invalidateSession(token);
	cookies.forget(sessionCookieName);
}
