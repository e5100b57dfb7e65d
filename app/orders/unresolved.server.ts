import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#drizzle/db.server.ts";
import { unresolvedPayments } from "#drizzle/schema.ts";

/** Lists payments as unresolved, for the next run of reconcile. `ids` is a SELECT of one column. Resets the attempts of
 *  a payment that is already listed. `now` is in Unix seconds. */
export function listUnresolved(primary: Database, ids: SQL, now: number) {
	return primary
		.insert(unresolvedPayments)
		.select(sql`select *, ${now}, 0, ${now} from (${ids}) where true`)
		.onConflictDoUpdate({ target: unresolvedPayments.paymentIntentId, set: { attempts: 0 } });
}

/** Lists payments as unresolved by their ids. */
export function listUnresolvedIds(primary: Database, ids: string[], now: number) {
	return listUnresolved(primary, sql`select value from json_each(${JSON.stringify(ids)})`, now);
}
