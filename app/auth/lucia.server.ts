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
/** Seconds after which even a regular customer signs in again. */
export const maxSessionAge = 90 * 24 * 60 * 60;

/** Lucia on this database: sessions of 30 days that are renewed while they are used, 90 days at most. With `isReadOnly`,
 *  validating one neither renews it nor deletes an expired one. To Lucia a session's id is the token in the cookie; see
 *  `hashedSessions` for what the database gets. */
export function openLucia(database: Database, now: () => number, { isReadOnly = false } = {}) {
	const stored = hashedSessions(database, now);
	const readOnly = { ...stored, deleteSession: async () => {} };
	return new Lucia(isReadOnly ? readOnly : stored, {
		// Lucia renews a session in the second half of this time
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
	/** Unix seconds, as the next. */
	expiresAt: number;
	createdAt: number;
}

/** Lucia's Drizzle adapter, with three differences. The database holds only the SHA-256 of a token, so that a stolen
 *  copy of it signs nobody in; session and user come in one query, where the stock adapter makes two; and moments are
 *  those of `now`, where Lucia knows the machine's clock alone. */
function hashedSessions(database: Database, now: () => number): Adapter {
	const stored = new DrizzleSQLiteAdapter(database, sessions, users);
	const ahead = () => now() * 1000 - Math.floor(Date.now() / 1000) * 1000;
	const toOurs = (lucias: Date) => new Date(lucias.getTime() + ahead());
	return {
		async getSessionAndUser(token) {
			// as text: this is asked for on every page, and Drizzle takes longer to write it than D1 to answer it
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
