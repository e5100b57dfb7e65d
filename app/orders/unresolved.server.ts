import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#drizzle/db.server.ts";
import { unresolvedPayments } from "#drizzle/schema.ts";

/** Lists payments as unresolved, for the next run of reconcile. `ids` is a SELECT of one column. A payment that is
 *  already listed is due immediately, as if it had not been attempted. `now` is in Unix seconds. */
export function listUnresolved(primary: Database, ids: SQL, now: number) {
	return primary
		.insert(unresolvedPayments)
		.select(sql`select *, ${now}, 0, ${now}, null from (${ids}) where true`)
		.onConflictDoUpdate({ target: unresolvedPayments.paymentIntentId, set: { attempts: 0, dueAt: now } });
}

/** Lists payments as unresolved by their ids. */
export function listUnresolvedIds(primary: Database, ids: string[], now: number) {
	return listUnresolved(primary, sql`select value from json_each(${JSON.stringify(ids)})`, now);
}
