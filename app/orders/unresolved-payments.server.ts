import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#drizzle/db.server.ts";
import { unresolvedPayments } from "#drizzle/schema.ts";

/** Marks payments as unresolved, for the next run of reconcile. `ids` is a SELECT of the column `id`. A payment that is
 *  already unresolved is due immediately, as if it had not been attempted, and keeps its place if it is due. `now` is
 *  in Unix seconds. */
export function markUnresolved(primary: Database, ids: SQL, now: number) {
	return primary
		.insert(unresolvedPayments)
		.select(
			// Drizzle names all columns, in the order of the schema. Without `where`, SQLite would read the following
			// `on conflict` as the condition of a join
			sql`select id as payment_intent_id, ${now} as created, 0 as attempts, ${now} as due_at, null as failure
				from (${ids}) where true`,
		)
		.onConflictDoUpdate({
			target: unresolvedPayments.paymentIntentId,
			set: { attempts: 0, dueAt: sql`min(${unresolvedPayments.dueAt}, ${now})` },
		});
}

/** Marks payments as unresolved, except those that already are: they keep waiting for their next attempt. */
export function markNewlyUnresolved(primary: Database, ids: SQL, now: number) {
	return markUnresolved(
		primary,
		sql`select id from (${ids}) where id not in (select ${unresolvedPayments.paymentIntentId} from ${unresolvedPayments})`,
		now,
	);
}

/** Records why a payment could not be resolved. Returns whether the reason is new: each is logged once. `row` is added if
 *  the payment is not yet unresolved. */
export async function recordFailure(primary: Database, row: typeof unresolvedPayments.$inferInsert): Promise<boolean> {
	const { failure } = row;
	const recorded = await primary
		.insert(unresolvedPayments)
		.values(row)
		.onConflictDoUpdate({
			target: unresolvedPayments.paymentIntentId,
			set: { failure },
			setWhere: sql`${unresolvedPayments.failure} is not ${failure}`,
		})
		.returning({ id: unresolvedPayments.paymentIntentId });
	return recorded.length > 0;
}
