import type Stripe from "stripe";
import type { Authentication } from "./objects/authentication.ts";
import type { KeptPaymentMethod } from "./objects/payment-method.ts";

/** The stored objects, by kind. */
export interface Kinds {
	authentication: Authentication;
	charge: Stripe.Charge;
	event: Stripe.Event;
	payment_intent: Stripe.PaymentIntent;
	payment_method: KeptPaymentMethod;
	refund: Stripe.Refund;
}

/** A page of a list, newest first: up to `limit` objects after or before an id. */
export interface Page {
	limit: number;
	startingAfter: string | undefined;
	endingBefore: string | undefined;
}

/** The account's objects, in the SQLite database of its Durable Object. All methods are synchronous, so no request can
 *  read another request's unfinished work. */
export class Store {
	readonly #sql: SqlStorage;

	constructor(sql: SqlStorage) {
		this.#sql = sql;
		sql.exec(
			`CREATE TABLE IF NOT EXISTS objects (
				position INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE, object TEXT NOT NULL
			) STRICT`,
		);
		sql.exec("CREATE INDEX IF NOT EXISTS objects_by_kind ON objects (kind, position)");
	}

	find<Kind extends keyof Kinds>(kind: Kind, id: string): Kinds[Kind] | undefined {
		const query = "SELECT object FROM objects WHERE kind = ? AND id = ?";
		const [row] = this.#sql.exec<{ object: string }>(query, kind, id).toArray();
		return row && JSON.parse(row.object);
	}

	save<Kind extends keyof Kinds>(kind: Kind, id: string, object: Kinds[Kind]): void {
		this.#sql.exec(
			"INSERT INTO objects (kind, id, object) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET object = excluded.object",
			...[kind, id, JSON.stringify(object)],
		);
	}

	/** Returns a page, newest first, and whether more objects follow in its direction. Returns undefined for an unknown
	 *  id. */
	list<Kind extends keyof Kinds>(
		kind: Kind,
		{ limit, startingAfter, endingBefore }: Page,
		matches: (object: Kinds[Kind]) => boolean,
	): { data: Kinds[Kind][]; more: boolean } | undefined {
		const from = endingBefore ?? startingAfter;
		const position = from === undefined ? null : this.#positionOf(kind, from);
		if (position === undefined) return undefined;
		const [way, order] = endingBefore === undefined ? ["<", "DESC"] : [">", "ASC"];
		const rows = this.#sql.exec<{ object: string }>(
			`SELECT object FROM objects WHERE kind = ? AND (?2 IS NULL OR position ${way} ?2) ORDER BY position ${order}`,
			...[kind, position],
		);
		const data: Kinds[Kind][] = [];
		for (const row of rows) {
			const object: Kinds[Kind] = JSON.parse(row.object);
			if (!matches(object)) continue;
			if (data.length === limit) return { data: inOrder(data), more: true };
			data.push(object);
		}
		return { data: inOrder(data), more: false };

		function inOrder(found: Kinds[Kind][]) {
			return endingBefore === undefined ? found : found.toReversed();
		}
	}

	/** Deletes the events created at or before `until`, in Unix seconds. */
	forgetEvents(until: number): void {
		this.#sql.exec("DELETE FROM objects WHERE kind = 'event' AND json_extract(object, '$.created') <= ?", until);
	}

	#positionOf(kind: keyof Kinds, id: string): number | undefined {
		const query = "SELECT position FROM objects WHERE kind = ? AND id = ?";
		const [row] = this.#sql.exec<{ position: number }>(query, kind, id).toArray();
		return row?.position;
	}
}
