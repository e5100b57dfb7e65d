import type { Sql } from "../sql.ts";
import { idempotencyKeyInUse, idempotencyMismatch, invalidRequest } from "./errors.ts";

/** The answer to one request: its status, and its body as JSON. */
export interface ApiResponse {
	status: number;
	body: string;
	requestId: string;
}

const keyLifetime = 24 * 60 * 60;

/** The first answer to every idempotency key, good or bad, for 24 hours. A key used again gets that answer, a key used
 *  again for something else is refused, and so is one whose first request has not ended. */
export class IdempotencyKeys {
	readonly #sql: Sql;
	readonly #now: () => number;
	/** In memory only: when the account dies in the middle of a request, that request has ended too. */
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

	/** Runs `work` on the body under the key, or answers what it came to the first time. Reading the body may take its
	 *  time, and the key is in use meanwhile. What `work` throws is not kept. */
	async once(key: string, endpoint: string, read: () => Promise<string>, work: (body: string) => ApiResponse) {
		if (key.length > 255) throw invalidRequest("Idempotency keys can have up to 255 characters.");
		const first = this.#find(key);
		if (first) {
			const same = first.request === `${endpoint}?${await read()}`;
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
				...[key, `${endpoint}?${body}`, response.status, response.body, response.requestId, this.#now()],
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
