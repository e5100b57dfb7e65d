import { asc, inArray, lte } from "drizzle-orm";
import { createContext, type RouterContextProvider } from "react-router";
import { type CookieJar, cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { log, logError } from "#app/http/log.server.ts";
import { isPrefetch } from "#app/http/prefetch.server.ts";
import { withTimeout } from "#app/http/timeout.ts";
import { servicesContext, type Timeouts } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { sessions } from "#drizzle/schema.ts";
import {
	findSession,
	hashToken,
	maxSessionAge,
	openLucia,
	type SessionRow,
	sessionCookieName,
	sessionLifetime,
} from "./lucia.server.ts";

/** A signed-in shopper. */
export interface Customer {
	id: string;
	email: string;
}

/** The sender of a request. `customer` and `session` are null for a guest. */
export interface Visitor {
	customer: Customer | null;
	session: {
		/** The hash of the session's token, as stored in the database. */
		readonly id: string;
		/** Seconds until the session expires. */
		seconds: number;
	} | null;
}

export const visitorContext = createContext<Promise<Visitor> | null>(null);

/** Returns the visitor who sent the request. Runs no query for a guest and one query per request for a customer: at the
 *  primary for a POST request, because a replica may still have a session that has ended. Deletes the cookie of an invalid session, and renews the cookie of an extended session. Rejects if D1 fails. */
export function authenticate(request: Request, context: Readonly<RouterContextProvider>): Promise<Visitor> {
	const visitor = context.get(visitorContext) ?? findVisitor(request, context);
	context.set(visitorContext, visitor);
	return visitor;
}

/** Authenticates the request with a session that the caller's query reads. If that query fails, reads the session as
 *  `authenticate` does. Call this before `authenticate`, which then returns the same visitor. */
export function authenticateWith(
	session: Promise<SessionRow | undefined>,
	request: Request,
	context: Readonly<RouterContextProvider>,
): void {
	const find: typeof findSession = (database, token) => session.catch(() => findSession(database, token));
	const visitor = findVisitor(request, context, find);
	context.set(visitorContext, visitor);
	// the loaders may never ask for it
	visitor.catch(() => undefined);
}

const guest: Visitor = { customer: null, session: null };

async function findVisitor(
	request: Request,
	context: Readonly<RouterContextProvider>,
	find = findSession,
): Promise<Visitor> {
	const cookies = context.get(cookiesContext);
	const token = cookies.get(sessionCookieName);
	if (!token) return guest;
	const { now } = context.get(servicesContext);
	const isReadOnly = isPrefetch(request) || !isNavigation(request);
	const databases = context.get(databasesContext);
	const validate = (database: Database) => openLucia(database, now, { isReadOnly, find }).validateSession(token);
	const { session, user } = await (request.method === "POST"
		? validate(databases.primary)
		: databases.readNearest(validate));
	if (!session) {
		if (!isReadOnly) cookies.forget(sessionCookieName);
		return guest;
	}
	if (session.fresh) cookies.set(sessionCookieName, token, sessionLifetime.seconds());
	const untilExpiry = (session.expiresAt.getTime() - Date.now()) / 1000;
	return {
		customer: { id: user.id, email: user.email },
		session: {
			// computed on demand: few requests need the id, and hashing takes time
			get id() {
				return hashToken(token);
			},
			seconds: Math.min(untilExpiry, session.createdAt + maxSessionAge - now()),
		},
	};
}

/** Returns whether the request is a navigation. Only a navigation may delete or renew the cookie. A background request
 *  can overlap a sign-in in another tab: it was sent with the old token, and its late response would replace the new
 *  cookie. Old browsers send no Sec-Fetch-Dest, and some send none with a WebSocket. */
function isNavigation({ headers }: Request): boolean {
	return !headers.has("Upgrade") && (headers.get("Sec-Fetch-Dest") ?? "document") === "document";
}

/** Signs the browser in with a new token. Ends the previous session, so that a token planted by an attacker is
 *  worthless. */
export async function startSession(database: Database, cookies: CookieJar, now: () => number, userId: string) {
	await endSession(database, cookies, now);
	const session = await openLucia(database, now).createSession(userId, { createdAt: now() });
	cookies.set(sessionCookieName, session.id, sessionLifetime.seconds());
}

/** Signs the browser out. Deletes the session from the database as well as the cookie. */
export async function endSession(database: Database, cookies: CookieJar, now: () => number): Promise<void> {
	const token = cookies.get(sessionCookieName);
	if (token) await openLucia(database, now).invalidateSession(token);
	cookies.forget(sessionCookieName);
}

/** Number of expired sessions that one query deletes, so that other queries wait for a few milliseconds at most. */
const deletionBatch = 1000;
/** Maximum number of such queries per run of the cron. */
const maxDeletionBatches = 10;

/** Deletes up to 10,000 expired sessions, oldest expiry first. The next run of the cron continues. Never rejects. */
export async function deleteExpiredSessions(
	primary: Database,
	{ now, timeouts }: { now(): number; timeouts: Pick<Timeouts, "request"> },
): Promise<void> {
	const expired = primary
		.select({ id: sessions.id })
		.from(sessions)
		.where(lte(sessions.expiresAt, now()))
		.orderBy(asc(sessions.expiresAt))
		.limit(deletionBatch);
	let count = 0;
	try {
		for (let batch = 1; batch <= maxDeletionBatches; batch++) {
			const deletion = primary.delete(sessions).where(inArray(sessions.id, expired)).run();
			const { meta } = await withTimeout(timeouts.request, deletion);
			count += meta.changes;
			if (meta.changes < deletionBatch) break;
		}
	} catch (error) {
		logError("sessions_not_deleted", error);
	}
	if (count > 0) log("sessions_deleted", { count });
}
