import type Stripe from "stripe";
import type { Tampering } from "./signed-request.ts";

/** How an event is on its way to the shop. A held one waits to be sent by hand. */
export interface Delivery {
	event: string;
	state: "pending" | "held" | "dropped" | "succeeded" | "failed";
	attempts: number;
	/** The shop's last answer: a status, or why there was none. */
	answer: string | null;
	/** Unix seconds. */
	next_attempt: number | null;
}

export interface Sending {
	/** How often the same event is sent, all at once. */
	copies: number;
	tampering: Tampering;
}

const firstRetryDelay = 10;
const maxRetryDelay = 12 * 60 * 60;
const deliveryTimeout = 3 * 24 * 60 * 60;

/** The shop's webhook endpoint: every event goes there at least once, and again, ever later, for three days, until the
 *  shop answers in the 200s. Anything else counts as a failure, a redirect too. Nothing is said about the order. */
export class Deliveries {
	readonly #sql: SqlStorage;
	readonly #now: () => number;
	readonly #send: (eventId: string, tampering: Tampering) => Promise<Response>;

	/** `send` makes one attempt, and rejects when no answer comes; `now` is in Unix seconds. */
	constructor(sql: SqlStorage, now: () => number, send: (eventId: string, tampering: Tampering) => Promise<Response>) {
		this.#sql = sql;
		this.#now = now;
		this.#send = send;
		sql.exec(
			`CREATE TABLE IF NOT EXISTS deliveries (
				position INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL UNIQUE, created INTEGER NOT NULL,
				state TEXT NOT NULL, sending TEXT NOT NULL, attempts INTEGER NOT NULL, answer TEXT, next_attempt INTEGER
			) STRICT`,
		);
		sql.exec("CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (state, next_attempt)");
	}

	add(event: Stripe.Event, state: "pending" | "held" | "dropped", sending: Sending): void {
		const due = state === "pending" ? event.created : null;
		this.#sql.exec(
			"INSERT INTO deliveries (event, created, state, sending, attempts, next_attempt) VALUES (?, ?, ?, ?, 0, ?)",
			...[event.id, event.created, state, JSON.stringify(sending), due],
		);
	}

	find(event: string): Delivery | undefined {
		const columns = "event, state, attempts, answer, next_attempt";
		return this.#sql.exec<Delivery & Row>(`SELECT ${columns} FROM deliveries WHERE event = ?`, event).toArray()[0];
	}

	succeeded(event: string): boolean {
		return this.find(event)?.state === "succeeded";
	}

	/** When the next attempt is due, in Unix seconds; null when there is none to make. */
	get next(): number | null {
		const query = "SELECT min(next_attempt) AS next FROM deliveries WHERE state = 'pending'";
		return this.#sql.exec<{ next: number | null }>(query).one().next;
	}

	/** Makes every attempt that is due, and answers once all of them have ended. */
	async sendDue(): Promise<void> {
		const query = "SELECT event FROM deliveries WHERE state = 'pending' AND next_attempt <= ? ORDER BY position";
		const due = this.#sql.exec<{ event: string }>(query, this.#now()).toArray();
		await Promise.all(due.map(({ event }) => this.send(event)));
	}

	/** Sends those that are held, one after the other; answers the events in the order they went. */
	async release(order: "oldest_first" | "newest_first"): Promise<string[]> {
		const direction = order === "oldest_first" ? "ASC" : "DESC";
		const query = `SELECT event FROM deliveries WHERE state = 'held' ORDER BY position ${direction}`;
		const held = this.#sql.exec<{ event: string }>(query).toArray();
		for (const { event } of held) await this.send(event);
		return held.map(({ event }) => event);
	}

	drop(event: string): void {
		this.#sql.exec(
			"UPDATE deliveries SET state = 'dropped', next_attempt = NULL WHERE event = ? AND state != 'succeeded'",
			event,
		);
	}

	/** Makes one attempt now, whatever the state; answers what the shop answered to each copy. The next attempt is
	 *  arranged before this one is made: if the account dies meanwhile, it is made again. */
	async send(event: string, by?: Sending): Promise<string[]> {
		const row = this.#sql
			.exec<{ created: number; attempts: number; sending: string }>(
				"SELECT created, attempts, sending FROM deliveries WHERE event = ?",
				event,
			)
			.toArray()[0];
		if (!row) return [];
		const { copies, tampering }: Sending = by ?? JSON.parse(row.sending);
		const wait = Math.min(firstRetryDelay * 6 ** row.attempts, maxRetryDelay);
		const next = this.#now() + wait;
		const [state, due] = next < row.created + deliveryTimeout ? ["pending", next] : ["failed", null];
		this.#sql.exec(
			"UPDATE deliveries SET state = ?, next_attempt = ?, attempts = attempts + 1 WHERE event = ? AND state != 'succeeded'",
			...[state, due, event],
		);
		const results = await Promise.all(Array.from({ length: copies }, () => this.#attempt(event, tampering)));
		const success = results.find((result) => /^2\d\d$/.test(result));
		this.#sql.exec(
			success
				? "UPDATE deliveries SET answer = ?, state = 'succeeded', next_attempt = NULL WHERE event = ?"
				: "UPDATE deliveries SET answer = ? WHERE event = ? AND state != 'succeeded'",
			...[success ?? results[0] ?? null, event],
		);
		return results;
	}

	async #attempt(event: string, tampering: Tampering): Promise<string> {
		try {
			const response = await this.#send(event, tampering);
			await response.body?.cancel();
			return String(response.status);
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	}
}

type Row = Record<string, SqlStorageValue>;
