import { idempotencyKeyInUse, idempotencyMismatch, invalidRequest } from "../errors.ts";
import type { Sql } from "../sql.ts";

/** The response to an API request. `body` is JSON. */
export interface ApiResponse {
	status: number;
	body: string;
	requestId: string;
}

const keyLifetime = 24 * 60 * 60;

/** Stores the first response for each idempotency key, including errors, for 24 hours and replays it. Throws an
 *  ApiError if a key is reused with another endpoint or body, or while its first request is in progress. */
export class IdempotencyKeys {
	readonly #sql: Sql;
	readonly #now: () => number;
	/** Kept in memory, because a restart of the account also ends the requests in flight. */
	readonly #inFlight = new Set<string>();

	/** `now` is in Unix seconds. */
	constructor(sql: Sql, now: () => number) {
		this.#sql = sql;
		this.#now = now;
		sql.exec(
			`CREATE TABLE IF NOT EXISTS idempotency_keys (
				key TEXT PRIMARY KEY, request TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
				request_id TEXT NOT NULL, created INTEGER NOT NULL
			) STRICT`,
		);
	}

	/** Runs `work` on the body and stores its response, or replays the stored response. The key is marked as in use
	 *  before the body is read. If `work` throws, nothing is stored. */
	async once(key: string, endpoint: string, read: () => Promise<string>, work: (body: string) => ApiResponse) {
		if (key.length > 255) throw invalidRequest("Idempotency keys can have up to 255 characters.");
		const first = this.#find(key);
		if (first) {
			const same = first.request === requestOf(endpoint, await read());
			if (!same) throw idempotencyMismatch(key);
			return { ...first, replayed: true };
		}
		if (this.#inFlight.has(key)) throw idempotencyKeyInUse(key);
		this.#inFlight.add(key);
		try {
			const body = await read();
			const response = work(body);
			this.#sql.exec(
				"INSERT INTO idempotency_keys (key, request, status, body, request_id, created) VALUES (?, ?, ?, ?, ?, ?)",
				...[key, requestOf(endpoint, body), response.status, response.body, response.requestId, this.#now()],
			);
			return { ...response, replayed: false };
		} finally {
			this.#inFlight.delete(key);
		}
	}

	#find(key: string): (ApiResponse & { request: string }) | undefined {
		this.#sql.exec("DELETE FROM idempotency_keys WHERE created <= ?", this.#now() - keyLifetime);
		const query = "SELECT request, status, body, request_id FROM idempotency_keys WHERE key = ?";
		const [row] = this.#sql.exec(query, key).toArray();
		if (!row) return undefined;
		const { request, status, body, request_id } = row;
		return { request: String(request), status: Number(status), body: String(body), requestId: String(request_id) };
	}
}

/** Returns a text that is the same for the same endpoint and parameters, in any order and encoding. Values of one name
 *  keep their order, because they are a list. */
function requestOf(endpoint: string, form: string): string {
	const parameters = [...new URLSearchParams(form)].toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
	return `${endpoint}?${new URLSearchParams(parameters)}`;
}
