import { DrizzleSQLiteAdapter } from "@lucia-auth/adapter-drizzle";
import { sha256 } from "@oslojs/crypto/sha2";
import { encodeHexLowerCase } from "@oslojs/encoding";
import { eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { generateIdFromEntropySize, Lucia, TimeSpan } from "lucia";
import type { CookieJar } from "#app/http/cookies.server.ts";
import { log } from "#app/http/log.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { sessions, users } from "#drizzle/schema.ts";

// The cookie holds a session's token, and the database its hash, so that a leaked copy of the database cannot be used
// to sign in. Sessions follow the system clock, as Lucia does.

declare module "lucia" {
	interface Register {
		Lucia: ReturnType<typeof openLucia>;
	}
}

export const sessionCookieName = "__Host-session";
export const sessionLifetime = new TimeSpan(30, "d");
/** Maximum number of expired sessions that a run of the cron deletes. */
const maxDeleted = 1000;

export interface Session {
	/** The hash of the token. */
	id: string;
	userId: string;
	email: string;
	expiresAt: number;
}

const openLucia = (database: Database) =>
	new Lucia(new DrizzleSQLiteAdapter(database, sessions, users), { sessionExpiresIn: sessionLifetime });

const systemTime = () => Math.floor(Date.now() / 1000);

export function hashToken(token: string): string {
	return encodeHexLowerCase(sha256(new TextEncoder().encode(token)));
}

/** Returns the session with this token, unless it has expired. */
export async function findSession(database: Database, token: string): Promise<Session | null> {
	// SQL as text: this runs for every page of a customer, and Drizzle takes longer to build the query than D1 to run it
	const [found] = await database.all<Session>(sql`
		select sessions.id, users.id as userId, users.email, sessions.expires_at as expiresAt
		from sessions join users on users.id = sessions.user_id
		where sessions.id = ${hashToken(token)} and sessions.expires_at > ${systemTime()}`);
	return found ?? null;
}

/** Returns an SQL expression for the id of the customer of a session token, or NULL if the session has ended. A query
 *  that contains it need not wait for `authenticate`. */
export function sessionCustomer(token: string): SQL {
	return sql`(select ${sessions.userId} from ${sessions}
		where ${sessions.id} = ${hashToken(token)} and ${sessions.expiresAt} > ${systemTime()})`;
}

export const isHalfOver = ({ expiresAt }: Session) => expiresAt <= systemTime() + sessionLifetime.seconds() / 2;

/** Renews a session's cookie at once, and then extends the session. */
export async function extendSession(database: Database, cookies: CookieJar, token: string, session: Session) {
	const expiresAt = systemTime() + sessionLifetime.seconds();
	cookies.set(sessionCookieName, token, sessionLifetime.seconds());
	await database.update(sessions).set({ expiresAt }).where(eq(sessions.id, session.id));
}

/** Signs the browser in with a new token. Ends the previous session, so that a token planted by an attacker is
 *  worthless. */
export async function startSession(database: Database, cookies: CookieJar, userId: string): Promise<void> {
	await endSession(database, cookies);
	const token = generateIdFromEntropySize(25);
	await openLucia(database).createSession(userId, {}, { sessionId: hashToken(token) });
	cookies.set(sessionCookieName, token, sessionLifetime.seconds());
}

export async function endSession(database: Database, cookies: CookieJar): Promise<void> {
	const token = cookies.get(sessionCookieName);
	if (token) await openLucia(database).invalidateSession(hashToken(token));
	cookies.forget(sessionCookieName);
}

export async function deleteExpiredSessions(database: Database): Promise<void> {
	const expired = database
		.select({ id: sessions.id })
		.from(sessions)
		.where(lte(sessions.expiresAt, systemTime()))
		.orderBy(sessions.expiresAt)
		.limit(maxDeleted);
	const { meta } = await database.delete(sessions).where(inArray(sessions.id, expired)).run();
	if (meta.changes > 0) log("sessions_deleted", { count: meta.changes });
}
