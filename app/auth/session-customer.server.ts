import { type SQL, sql } from "drizzle-orm";
import { sessions } from "#drizzle/schema.ts";
import { hashToken } from "./lucia.server.ts";

/** Returns an SQL expression for the id of the customer of a session token; NULL for a guest, whose token is null, and
 *  for an expired session. A query that contains it checks the session in its own transaction, so it need not wait for
 *  `authenticate`. `now` is in Unix seconds. */
export function sessionCustomer(token: string | null, now: number): SQL {
	if (!token) return sql`null`;
	return sql`(select ${sessions.userId} from ${sessions}
		where ${sessions.id} = ${hashToken(token)} and ${sessions.expiresAt} > ${now})`;
}
