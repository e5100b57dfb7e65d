import type Stripe from "stripe";
import type { Endpoint } from "./endpoint.ts";
import { signedRequest, type Tampering } from "./signed-request.ts";

/** The delivery of an event to its webhook endpoints. A held delivery is sent only by a control. */
export interface Delivery {
	event: string;
	state: "pending" | "held" | "dropped" | "succeeded" | "failed";
	attempts: number;
	/** The endpoint's last response status, or the error if there was no response. */
	answer: string | null;
	/** Unix seconds. */
	next_attempt: number | null;
}

/** One request to an endpoint and its response. */
export interface Attempt {
	/** The endpoint's URL. */
	endpoint: string;
	/** Unix seconds. */
	created: number;
	/** Time until the response, in milliseconds. */
	duration: number;
	/** The request's headers, including Stripe-Signature. */
	headers: Record<string, string>;
	/** The response's status; null if there was no response. */
	status: number | null;
	/** The first 4,096 characters of the response's body, or the error. */
	answer: string;
}

export interface Sending {
	/** Number of copies of the event to send concurrently. */
	copies: number;
	tampering: Tampering;
}

const firstRetryDelay = 10;
const maxRetryDelay = 12 * 60 * 60;
const deliveryTimeout = 3 * 24 * 60 * 60;
/** Timeout of an attempt, in milliseconds. */
const attemptTimeout = 10_000;
const maxAnswerLength = 4096;
const maxAttempts = 1000;

/** Delivers every event at least once to each endpoint that is subscribed to its type. Retries with exponential backoff
 *  for three days, until the response is a 2xx. Any other status, including a redirect, is a failure. Delivery order is
 *  not guaranteed. */
export class Deliveries {
	readonly #sql: SqlStorage;
	readonly #now: () => number;
	readonly #endpoints: () => readonly Endpoint[];
	readonly #find: (eventId: string) => Stripe.Event | undefined;

	/** `now` is in Unix seconds. `endpoints` returns the enabled endpoints. `find` returns an event, unless it has been
	 *  deleted. */
	constructor(
		sql: SqlStorage,
		account: {
			now: () => number;
			endpoints: () => readonly Endpoint[];
			find: (eventId: string) => Stripe.Event | undefined;
		},
	) {
		this.#sql = sql;
		this.#now = account.now;
		this.#endpoints = account.endpoints;
		this.#find = account.find;
		// `deliveries`, without endpoints, is the table of earlier versions
		sql.exec("DROP TABLE IF EXISTS deliveries");
		sql.exec(
			`CREATE TABLE IF NOT EXISTS webhook_deliveries (
				position INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, endpoint TEXT NOT NULL,
				created INTEGER NOT NULL, state TEXT NOT NULL, sending TEXT NOT NULL, attempts INTEGER NOT NULL, answer TEXT,
				next_attempt INTEGER, UNIQUE (event, endpoint)
			) STRICT`,
		);
		sql.exec("CREATE INDEX IF NOT EXISTS webhook_deliveries_due ON webhook_deliveries (state, next_attempt)");
		sql.exec(
			`CREATE TABLE IF NOT EXISTS webhook_attempts (
				position INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, attempt TEXT NOT NULL
			) STRICT`,
		);
		sql.exec("CREATE INDEX IF NOT EXISTS webhook_attempts_by_event ON webhook_attempts (event, position)");
	}

	/** Adds the deliveries of an event to the endpoints that are subscribed to its type. Keeps existing deliveries. */
	add(event: Stripe.Event, state: "pending" | "held" | "dropped", sending: Sending): void {
		const due = state === "pending" ? event.created : null;
		for (const { id, events } of this.#endpoints()) {
			if (!events.includes("*") && !events.includes(event.type)) continue;
			this.#sql.exec(
				"INSERT OR IGNORE INTO webhook_deliveries (event, endpoint, created, state, sending, attempts, next_attempt) VALUES (?, ?, ?, ?, ?, 0, ?)",
				...[event.id, id, event.created, state, JSON.stringify(sending), due],
			);
		}
	}

	/** Returns the event's delivery; if it has several, the one that is furthest from success. */
	find(event: string): Delivery | undefined {
		const query = `SELECT event, state, attempts, answer, next_attempt FROM webhook_deliveries WHERE event = ?
			ORDER BY instr('pending held failed dropped succeeded', state), position LIMIT 1`;
		return this.#sql.exec<Delivery & Row>(query, event).toArray()[0];
	}

	/** Returns the number of endpoints that have not accepted the event. */
	pending(event: string): number {
		const query = "SELECT count(*) AS count FROM webhook_deliveries WHERE event = ? AND state != 'succeeded'";
		return this.#sql.exec<{ count: number }>(query, event).one().count;
	}

	/** Returns the event's attempts, newest first. Only the account's newest thousand attempts are stored. */
	attempts(event: string): Attempt[] {
		const query = "SELECT attempt FROM webhook_attempts WHERE event = ? ORDER BY position DESC";
		return this.#sql
			.exec<{ attempt: string }>(query, event)
			.toArray()
			.map(({ attempt }) => JSON.parse(attempt));
	}

	/** Yields the attempts of all events, newest first. */
	*newestAttempts(): Generator<{ position: number; event: string; attempt: Attempt }> {
		const query = "SELECT position, event, attempt FROM webhook_attempts ORDER BY position DESC";
		for (const row of this.#sql.exec<{ position: number; event: string; attempt: string }>(query)) {
			yield { ...row, attempt: JSON.parse(row.attempt) };
		}
	}

	/** The number of deliveries that are held. */
	get held(): number {
		const query = "SELECT count(*) AS held FROM webhook_deliveries WHERE state = 'held'";
		return this.#sql.exec<{ held: number }>(query).one().held;
	}

	/** The time of the next attempt, in Unix seconds; null if none is scheduled. */
	get next(): number | null {
		const query = "SELECT min(next_attempt) AS next FROM webhook_deliveries WHERE state = 'pending'";
		return this.#sql.exec<{ next: number | null }>(query).one().next;
	}

	/** Makes every attempt that is due. Resolves when all attempts have ended. */
	async sendDue(): Promise<void> {
		const due = this.#rows("state = 'pending' AND next_attempt <= ? ORDER BY position", this.#now());
		await Promise.all(due.map((row) => this.#send(row)));
	}

	/** Sends held events one at a time. Returns their ids in sending order. */
	async release(order: "oldest_first" | "newest_first"): Promise<string[]> {
		const held = this.#rows(`state = 'held' ORDER BY position ${order === "oldest_first" ? "ASC" : "DESC"}`);
		for (const row of held) await this.#send(row);
		return [...new Set(held.map(({ event }) => event))];
	}

	drop(event: string): void {
		this.#sql.exec(
			"UPDATE webhook_deliveries SET state = 'dropped', next_attempt = NULL WHERE event = ? AND state != 'succeeded'",
			event,
		);
	}

	/** Makes one attempt for each subscribed endpoint now, regardless of the deliveries' states. Returns the response
	 *  status or error of each copy. */
	async send(event: string, by: Sending): Promise<string[]> {
		const found = this.#find(event);
		// for endpoints that have been created since the event
		if (found) this.add(found, "dropped", by);
		const rows = this.#rows("event = ? ORDER BY position", event);
		return (await Promise.all(rows.map((row) => this.#send(row, by)))).flat();
	}

	#rows(condition: string, ...bindings: (string | number)[]): DeliveryRow[] {
		const query = `SELECT position, event, endpoint, created, attempts, sending FROM webhook_deliveries WHERE ${condition}`;
		return this.#sql.exec<DeliveryRow & Row>(query, ...bindings).toArray();
	}

	/** Makes one attempt. Schedules the next attempt first, so that the event is retried if the account restarts during
	 *  this attempt. */
	async #send({ position, event, endpoint: id, created, ...row }: DeliveryRow, by?: Sending): Promise<string[]> {
		const endpoint = this.#endpoints().find((endpoint) => endpoint.id === id);
		if (!endpoint) {
			this.#update(position, "state = 'dropped', next_attempt = NULL");
			return [];
		}
		const { copies, tampering }: Sending = by ?? JSON.parse(row.sending);
		const wait = Math.min(firstRetryDelay * 6 ** row.attempts, maxRetryDelay);
		const next = this.#now() + wait;
		const [state, due] = next < created + deliveryTimeout ? ["pending", next] : ["failed", null];
		this.#update(position, "state = ?, next_attempt = ?, attempts = attempts + 1", state, due);
		const made = await Promise.all(Array.from({ length: copies }, () => this.#attempt(endpoint, event, tampering)));
		const results = made.map(({ status, answer }) => (status === null ? answer : String(status)));
		const success = results[made.findIndex(({ status }) => status !== null && status >= 200 && status < 300)];
		if (success === undefined) this.#update(position, "answer = ?", results[0] ?? null);
		else this.#update(position, "answer = ?, state = 'succeeded', next_attempt = NULL", success);
		return results;
	}

	/** Changes a delivery that has not succeeded. */
	#update(position: number, changes: string, ...bindings: (string | number | null)[]): void {
		const query = `UPDATE webhook_deliveries SET ${changes} WHERE position = ? AND state != 'succeeded'`;
		this.#sql.exec(query, ...bindings, position);
	}

	/** Makes an attempt and stores it. */
	async #attempt(endpoint: Endpoint, event: string, tampering: Tampering): Promise<Attempt> {
		const { url, secret } = endpoint;
		const attempt: Attempt = {
			endpoint: url,
			created: this.#now(),
			duration: 0,
			headers: {},
			status: null,
			answer: "",
		};
		const start = Date.now();
		try {
			const found = this.#find(event);
			if (!found) throw new Error("The event is older than 30 days and has been deleted.");
			const sent = { ...found, pending_webhooks: this.pending(event) };
			const request = await signedRequest(sent, { url, secret, now: attempt.created, tampering });
			attempt.headers = Object.fromEntries(request.headers);
			const response = await endpoint.fetch(request, { signal: AbortSignal.timeout(attemptTimeout) });
			attempt.status = response.status;
			attempt.duration = Date.now() - start;
			attempt.answer = await readStart(response);
		} catch (error) {
			attempt.duration = Date.now() - start;
			attempt.answer = (error instanceof Error ? error.message : String(error)).slice(0, maxAnswerLength);
		}
		this.#sql.exec("INSERT INTO webhook_attempts (event, attempt) VALUES (?, ?)", event, JSON.stringify(attempt));
		this.#sql.exec(
			"DELETE FROM webhook_attempts WHERE position <= (SELECT max(position) FROM webhook_attempts) - ?",
			maxAttempts,
		);
		return attempt;
	}
}

/** Returns the first 4,096 characters of a response's body. If reading fails, returns what was read until then. */
async function readStart({ body }: Response): Promise<string> {
	if (!body) return "";
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = "";
	try {
		while (text.length < maxAnswerLength) {
			const { done, value } = await reader.read();
			if (done) break;
			text += decoder.decode(value, { stream: true });
		}
	} catch {
		// the status is known, and it decides whether the endpoint has accepted the event
	}
	void reader.cancel().catch(() => undefined);
	return text.slice(0, maxAnswerLength);
}

interface DeliveryRow {
	position: number;
	event: string;
	endpoint: string;
	created: number;
	attempts: number;
	/** A Sending as JSON. */
	sending: string;
}

type Row = Record<string, SqlStorageValue>;
