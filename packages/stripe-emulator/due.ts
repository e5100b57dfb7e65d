/** What the account has to look at again later: charges that are processing, refunds that change their mind. */
export interface Due {
	kind: "payment_intent" | "refund";
	id: string;
}

export class DueList {
	readonly #sql: SqlStorage;

	constructor(sql: SqlStorage) {
		this.#sql = sql;
		sql.exec("CREATE TABLE IF NOT EXISTS due (at INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL) STRICT");
	}

	/** `at` is in Unix seconds. */
	add(at: number, kind: Due["kind"], id: string): void {
		this.#sql.exec("INSERT INTO due (at, kind, id) VALUES (?, ?, ?)", at, kind, id);
	}

	/** When something is due next, in Unix seconds, or null. */
	get next(): number | null {
		return this.#sql.exec<{ next: number | null }>("SELECT min(at) AS next FROM due").one().next;
	}

	/** What is due by now, and no longer on the list. */
	take(now: number): Due[] {
		const query = "DELETE FROM due WHERE at <= ? RETURNING at, kind, id";
		return this.#sql
			.exec<{ at: number; kind: Due["kind"]; id: string }>(query, now)
			.toArray()
			.toSorted((a, b) => a.at - b.at);
	}
}
