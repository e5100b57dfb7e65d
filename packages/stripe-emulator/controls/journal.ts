import { mask, masked, maskedParameters } from "./mask.ts";

/** One request to the API and its response. */
export interface Entry {
	request_id: string;
	/** Unix seconds. */
	created: number;
	caller: "server" | "browser" | "nobody";
	/** The endpoint's name, such as `payment_intents.create`, or null for an unknown URL. */
	endpoint: string | null;
	method: string;
	path: string;
	idempotency_key: string | null;
	/** The request's parameters, without keys, client secrets and card data. */
	params: Record<string, string>;
	status: number;
	/** The response's body with masked secrets and numbers, cut off after 16,384 characters. */
	response: string;
	/** The time until the response, in milliseconds, including injected latency. */
	duration: number;
	replayed: boolean;
	/** The injected fault, if any. */
	fault: string | null;
}

const maxEntries = 1000;
const maxResponse = 16_384;

/** The last thousand requests to the account, without card numbers and security codes. */
export class Journal {
	readonly #sql: SqlStorage;

	constructor(sql: SqlStorage) {
		this.#sql = sql;
		sql.exec(
			"CREATE TABLE IF NOT EXISTS journal (position INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL) STRICT",
		);
	}

	/** Masks and stores a request. `form` is its parameters, and `response` is JSON. */
	write(entry: Omit<Entry, "params">, form: string): void {
		const safe: Entry = {
			...entry,
			path: mask(entry.path),
			idempotency_key: entry.idempotency_key && mask(entry.idempotency_key),
			params: maskedParameters(form),
			response: JSON.stringify(masked(JSON.parse(entry.response))).slice(0, maxResponse),
		};
		this.#sql.exec("INSERT INTO journal (entry) VALUES (?)", JSON.stringify(safe));
		this.#sql.exec("DELETE FROM journal WHERE position <= (SELECT max(position) FROM journal) - ?", maxEntries);
	}

	/** Yields the entries, newest first, with their positions. */
	*newest(): Generator<{ position: number; entry: Entry }> {
		const query = "SELECT position, entry FROM journal ORDER BY position DESC";
		for (const { position, entry } of this.#sql.exec<{ position: number; entry: string }>(query)) {
			// entries of earlier versions have no response and no duration
			yield { position, entry: { response: "", duration: 0, ...JSON.parse(entry) } };
		}
	}

	/** Returns up to `limit` entries, newest first. */
	read(limit: number): Entry[] {
		const entries: Entry[] = [];
		for (const { entry } of this.newest()) {
			if (entries.length === limit) break;
			entries.push(entry);
		}
		return entries;
	}
}
