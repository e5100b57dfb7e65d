import { type SQL, sql } from "drizzle-orm";
import type { CookieJar } from "#app/http/cookies.server.ts";
import { sessions } from "#drizzle/schema.ts";
import { hashToken, sessionCookieName } from "./lucia.server.ts";

/** Returns an SQL expression for the id of the customer whose session token the browser sent; NULL for a guest or an
 *  expired session. A query that contains it checks the session in its own transaction, so it need not wait for
 *  `authenticate`. `now` is in Unix seconds. */
export function sessionCustomer(cookies: CookieJar, now: number): SQL {
	const token = cookies.get(sessionCookieName);
	if (!token) return sql`null`;
	return sql`(select ${sessions.userId} from ${sessions}
		where ${sessions.id} = ${hashToken(token)} and ${sessions.expiresAt} > ${now})`;
}
