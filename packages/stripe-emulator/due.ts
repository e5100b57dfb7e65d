/** An object that is scheduled to change: a payment in processing, or a refund that is pending or will fail. */
interface Due {
	kind: "payment_intent" | "refund";
	id: string;
}

export class DueList {
	readonly #sql: SqlStorage;

	constructor(sql: SqlStorage) {
		this.#sql = sql;
		sql.exec("CREATE TABLE IF NOT EXISTS due (at INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL) STRICT");
	}

	/** Schedules an object to change at `at`, in Unix seconds. */
	add(at: number, kind: Due["kind"], id: string): void {
		this.#sql.exec("INSERT INTO due (at, kind, id) VALUES (?, ?, ?)", at, kind, id);
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
