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
/** Seconds after which a session expires, however often it is used. */
export const maxSessionAge = 90 * 24 * 60 * 60;

/** Opens Lucia: sessions last 30 days, are extended while they are used, and end after 90 days. With `isReadOnly`,
 *  validating a session neither extends nor deletes it. Lucia's session id is the token in the cookie; the database
 *  holds its hash (see `hashedSessions`). */
export function openLucia(database: Database, now: () => number, { isReadOnly = false } = {}) {
	const stored = hashedSessions(database, now);
	const readOnly = { ...stored, deleteSession: async () => {} };
	return new Lucia(isReadOnly ? readOnly : stored, {
		// Lucia extends a session in the second half of this time
		sessionExpiresIn: isReadOnly ? new TimeSpan(0, "s") : sessionLifetime,
		getUserAttributes: ({ email }) => ({ email }),
		getSessionAttributes: ({ createdAt }) => ({ createdAt }),
	});
}

export function hashToken(token: string): string {
	return encodeHexLowerCase(sha256(new TextEncoder().encode(token)));
}

interface SessionRow {
	userId: string;
	email: string;
	/** Unix seconds, like `createdAt`. */
	expiresAt: number;
	createdAt: number;
}

/** Returns Lucia's Drizzle adapter with three differences: the database holds only the SHA-256 of a token, so that a
 *  leaked copy signs no one in; session and user take one query instead of two; and times follow `now`, because Lucia
 *  only knows the system clock. */
function hashedSessions(database: Database, now: () => number): Adapter {
	const stored = new DrizzleSQLiteAdapter(database, sessions, users);
	const ahead = () => now() * 1000 - Math.floor(Date.now() / 1000) * 1000;
	const toOurs = (lucias: Date) => new Date(lucias.getTime() + ahead());
	return {
		async getSessionAndUser(token) {
			// SQL as text: this runs for every page, and Drizzle takes longer to build the query than D1 to run it
			const [found] = await database.all<SessionRow>(sql`
				select users.id as userId, users.email, sessions.expires_at as expiresAt, sessions.created_at as createdAt
				from sessions join users on users.id = sessions.user_id where sessions.id = ${hashToken(token)}`);
			if (!found) return [null, null];
			const { userId, email, expiresAt, createdAt } = found;
			const over = expiresAt <= now() || createdAt + maxSessionAge <= now();
			return [
				{ id: token, userId, expiresAt: new Date(over ? 0 : expiresAt * 1000 - ahead()), attributes: { createdAt } },
				{ id: userId, attributes: { email } },
			];
		},
		setSession: (session) =>
			stored.setSession({ ...session, id: hashToken(session.id), expiresAt: toOurs(session.expiresAt) }),
		updateSessionExpiration: (token, expiresAt) => stored.updateSessionExpiration(hashToken(token), toOurs(expiresAt)),
		deleteSession: (token) => stored.deleteSession(hashToken(token)),
		deleteUserSessions: (userId) => stored.deleteUserSessions(userId),
		getUserSessions: (userId) => stored.getUserSessions(userId),
		deleteExpiredSessions: () => stored.deleteExpiredSessions(),
	};
}
