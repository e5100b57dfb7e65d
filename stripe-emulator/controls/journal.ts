/** One request to the emulated API and its answer. */
export interface Entry {
	request_id: string;
	/** Unix seconds. */
	created: number;
	caller: "server" | "browser" | "nobody";
	/** The endpoint's name, `payment_intents.create`, or null for an address that is none. */
	endpoint: string | null;
	method: string;
	path: string;
	idempotency_key: string | null;
	/** As they were sent, but for keys, secrets and everything about a card. */
	params: Record<string, string>;
	status: number;
	replayed: boolean;
	/** The fault that was played, if one was. */
	fault: string | null;
}

const LENGTH = 1000;
const secret = /^(key|client_secret|card|payment_method_data|part)(\[|$)/;

/** What was asked of the account, the latest thousand requests. No card number or code gets in here. */
export class Journal {
	readonly #sql: SqlStorage;

	constructor(sql: SqlStorage) {
		this.#sql = sql;
		sql.exec(
			"CREATE TABLE IF NOT EXISTS journal (position INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL) STRICT",
		);
	}

	write(entry: Omit<Entry, "params">, form: string): void {
		const sent = [...new URLSearchParams(form)].filter(([name]) => !secret.test(name));
		const params = Object.fromEntries(sent.map(([name, value]) => [withoutNumbers(name), withoutNumbers(value)]));
		const safe: Entry = { ...entry, path: withoutNumbers(entry.path), params };
		this.#sql.exec("INSERT INTO journal (entry) VALUES (?)", JSON.stringify(safe));
		this.#sql.exec("DELETE FROM journal WHERE position <= (SELECT max(position) FROM journal) - ?", LENGTH);
	}

	/** Newest first. */
	read(limit: number): Entry[] {
		const query = "SELECT entry FROM journal ORDER BY position DESC LIMIT ?";
		return this.#sql
			.exec<{ entry: string }>(query, limit)
			.toArray()
			.map(({ entry }) => JSON.parse(entry));
	}
}

/** Without anything that has the looks of a card number, wherever somebody may have put one. */
function withoutNumbers(text: string): string {
	return text.replaceAll(/(?<![0-9A-Za-z])\d(?:[ -]?\d){11,18}(?![0-9A-Za-z])/g, "[number]");
}
