/** An object that is scheduled to change: a payment in processing, or a refund that is pending or will fail. The kind
 *  "deletion" has no id: it only sets an alarm, which deletes what is old. */
interface Due {
	kind: "payment_intent" | "refund" | "deletion";
	id: string;
}

export class DueList {
	readonly #sql: SqlStorage;

	constructor(sql: SqlStorage) {
		this.#sql = sql;
		sql.exec("CREATE TABLE IF NOT EXISTS due (at INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL) STRICT");
	}

	/** Schedules an object to change at `at`, in Unix seconds, unless it is scheduled already. */
	add(at: number, kind: Due["kind"], id: string): void {
		const missing = "NOT EXISTS (SELECT 1 FROM due WHERE kind = ?2 AND id = ?3)";
		this.#sql.exec(`INSERT INTO due (at, kind, id) SELECT ?1, ?2, ?3 WHERE ${missing}`, at, kind, id);
	}

	/** The earliest due time, in Unix seconds, or null. */
	get next(): number | null {
		return this.#sql.exec<{ next: number | null }>("SELECT min(at) AS next FROM due").one().next;
	}

	/** Removes and returns the objects due at `now`, in Unix seconds, earliest first. */
	take(now: number): Due[] {
		const query = "DELETE FROM due WHERE at <= ? RETURNING at, kind, id";
		return this.#sql
			.exec<{ at: number; kind: Due["kind"]; id: string }>(query, now)
			.toArray()
			.toSorted((a, b) => a.at - b.at);
	}
}
