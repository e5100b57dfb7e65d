import type Stripe from "stripe";
import type { Tampering } from "./signed-request.ts";

/** The delivery of an event to the webhook endpoint. A held delivery is sent only by a control. */
export interface Delivery {
	event: string;
	state: "pending" | "held" | "dropped" | "succeeded" | "failed";
	attempts: number;
	/** The endpoint's last response status, or the error if there was no response. */
	answer: string | null;
	/** Unix seconds. */
	next_attempt: number | null;
}

export interface Sending {
	/** Number of copies of the event to send concurrently. */
	copies: number;
	tampering: Tampering;
}

const firstRetryDelay = 10;
const maxRetryDelay = 12 * 60 * 60;
const deliveryTimeout = 3 * 24 * 60 * 60;

/** Delivers every event to the webhook endpoint at least once. Retries with exponential backoff for three days, until
 *  the response is a 2xx. Any other status, including a redirect, is a failure. Delivery order is not guaranteed. */
export class Deliveries {
	readonly #sql: SqlStorage;
	readonly #now: () => number;
	readonly #send: (eventId: string, tampering: Tampering) => Promise<Response>;

	/** `send` makes one attempt and rejects if there is no response. `now` is in Unix seconds. */
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

	/** Schedules another delivery of an event now. */
	resend(event: string): void {
		this.#sql.exec("UPDATE deliveries SET state = 'pending', next_attempt = ? WHERE event = ?", this.#now(), event);
	}

	/** The time of the next attempt, in Unix seconds; null if none is scheduled. */
	get next(): number | null {
		const query = "SELECT min(next_attempt) AS next FROM deliveries WHERE state = 'pending'";
		return this.#sql.exec<{ next: number | null }>(query).one().next;
	}

	/** Makes every attempt that is due. Resolves when all attempts have ended. */
	async sendDue(): Promise<void> {
		const query = "SELECT event FROM deliveries WHERE state = 'pending' AND next_attempt <= ? ORDER BY position";
		const due = this.#sql.exec<{ event: string }>(query, this.#now()).toArray();
		await Promise.all(due.map(({ event }) => this.send(event)));
	}

	/** Sends held events one at a time. Returns their ids in sending order. */
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

	/** Makes one attempt now, regardless of the delivery's state. Returns the response status or error of each copy.
	 *  Schedules the next attempt first, so that the event is retried if the account restarts during this attempt. */
	async send(event: string, by?: Sending): Promise<string[]> {
		const row = this.#sql
			.exec<{ created: number; attempts: number; sending: string }>(
				"SELECT created, attempts, sending FROM deliveries WHERE event = ?",
				event,
			)
			.toArray()[0];
		if (!row) return [];
		const { copies, tampering }: Sending = by ?? JSON.parse(row.sending);
		const due = nextAttempt(this.#now(), row);
		const state = due === null ? "failed" : "pending";
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

/** Returns when to retry, if the attempt at `now` fails, a delivery with this number of earlier attempts; null if it is
 *  then given up. All times are in Unix seconds. */
export function nextAttempt(now: number, { attempts, created }: { attempts: number; created: number }): number | null {
	const next = now + Math.min(firstRetryDelay * 6 ** attempts, maxRetryDelay);
	return next < created + deliveryTimeout ? next : null;
}

type Row = Record<string, SqlStorageValue>;
