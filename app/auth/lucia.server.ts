import { DrizzleSQLiteAdapter } from "@lucia-auth/adapter-drizzle";
import { sha256 } from "@oslojs/crypto/sha2";
import { encodeHexLowerCase } from "@oslojs/encoding";
import { sql } from "drizzle-orm";
import { type Adapter, Lucia, TimeSpan } from "lucia";
import type { Database } from "#drizzle/db.server.ts";
import { sessions, users } from "#drizzle/schema.ts";

declare module "lucia" {
	interface Register {
		Lucia: ReturnType<typeof openLucia>;
		DatabaseSessionAttributes: { createdAt: number };
		DatabaseUserAttributes: { email: string };
	}
}

export const sessionCookieName = "__Host-session";
export const sessionLifetime = new TimeSpan(30, "d");
/** Maximum age of a session, in seconds. Using the session does not extend it. */
export const maxSessionAge = 90 * 24 * 60 * 60;

/** Creates a Lucia instance. Sessions last 30 days, are extended when they are used, and expire after 90 days at the
 *  latest. With `isReadOnly`, validating a session neither extends nor deletes it. Lucia's session id is the token in
 *  the cookie; the database stores the token's hash (see `hashedSessions`). `find` reads a session. */
export function openLucia(database: Database, now: () => number, { isReadOnly = false, find = findSession } = {}) {
	const stored = hashedSessions(database, now, find);
	const readOnly = { ...stored, deleteSession: async () => {} };
	return new Lucia(isReadOnly ? readOnly : stored, {
		// Lucia extends a session in the second half of its lifetime
		sessionExpiresIn: isReadOnly ? new TimeSpan(0, "s") : sessionLifetime,
		getUserAttributes: ({ email }) => ({ email }),
		getSessionAttributes: ({ createdAt }) => ({ createdAt }),
	});
}

export function hashToken(token: string): string {
	return encodeHexLowerCase(sha256(new TextEncoder().encode(token)));
}

/** A session and its user. */
export interface SessionRow {
	userId: string;
	email: string;
	/** Unix seconds, like `createdAt`. */
	expiresAt: number;
	createdAt: number;
}

/** Reads a session and its user, even if the session has expired. */
export async function findSession(database: Database, token: string): Promise<SessionRow | undefined> {
	// SQL as text: this runs for most pages, and Drizzle takes longer to build the query than D1 takes to run it
	const [found] = await database.all<SessionRow>(sql`
		select users.id as userId, users.email, sessions.expires_at as expiresAt, sessions.created_at as createdAt
		from sessions join users on users.id = sessions.user_id where sessions.id = ${hashToken(token)}`);
	return found;
}

/** Returns Lucia's Drizzle adapter with four changes. The database stores only the SHA-256 hash of a token, so that a
 *  leaked copy cannot be used to sign in. One query instead of two reads a session and its user. A session is never
 *  extended past `maxSessionAge`, so `expires_at` alone decides whether it is valid. Times follow `now`, because Lucia
 *  reads only the system clock. */
function hashedSessions(database: Database, now: () => number, find: typeof findSession): Adapter {
	const stored = new DrizzleSQLiteAdapter(database, sessions, users);
	const ahead = () => now() * 1000 - Math.floor(Date.now() / 1000) * 1000;
	const toOurs = (lucias: Date) => new Date(lucias.getTime() + ahead());
	return {
		async getSessionAndUser(token) {
			const found = await find(database, token);
			if (!found) return [null, null];
			const { userId, email, expiresAt, createdAt } = found;
			const isAtMaximum = expiresAt >= createdAt + maxSessionAge;
			// a later time in the first half of a lifetime, so that Lucia does not extend a session that cannot be extended
			const forLucia = isAtMaximum ? expiresAt + sessionLifetime.seconds() : expiresAt;
			const lucias = new Date(expiresAt <= now() ? 0 : forLucia * 1000 - ahead());
			return [
				{ id: token, userId, expiresAt: lucias, attributes: { createdAt } },
				{ id: userId, attributes: { email } },
			];
		},
		setSession: (session) =>
			stored.setSession({ ...session, id: hashToken(session.id), expiresAt: toOurs(session.expiresAt) }),
		async updateSessionExpiration(token, expiresAt) {
			await database.run(sql`
				update sessions set expires_at = min(${Math.floor(toOurs(expiresAt).getTime() / 1000)}, created_at + ${maxSessionAge})
				where id = ${hashToken(token)}`);
		},
		deleteSession: (token) => stored.deleteSession(hashToken(token)),
		deleteUserSessions: (userId) => stored.deleteUserSessions(userId),
		getUserSessions: (userId) => stored.getUserSessions(userId),
		deleteExpiredSessions: () => stored.deleteExpiredSessions(),
	};
}
