import type Stripe from "stripe";
import { noSuch } from "./errors.ts";
import type { Authentication } from "./objects/authentication.ts";
import type { KeptPaymentMethod } from "./objects/payment-method.ts";
import type { Sql } from "./sql.ts";

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

/** SQL conditions on a row of `objects`, each with the value of its only parameter. A condition whose value is undefined
 *  is ignored. */
export type Conditions = Record<string, string | number | undefined>;

/** The account's objects, in the SQLite database of its Durable Object. All methods are synchronous, so no request can
 *  read another request's unfinished work. */
export class Store {
	readonly #sql: Sql;

	constructor(sql: Sql) {
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
		const [row] = this.#sql.exec(query, kind, id).toArray();
		return row && JSON.parse(String(row["object"]));
	}

	/** Returns the object with this id. If there is none, throws a 404 ApiError that names the request's parameter. */
	get<Kind extends keyof Kinds>(kind: Kind, id: string, param: string): Kinds[Kind] {
		const found = this.find(kind, id);
		if (found) return found;
		throw noSuch(kind, id, param);
	}

	save<Kind extends keyof Kinds>(kind: Kind, id: string, object: Kinds[Kind]): void {
		this.#sql.exec(
			"INSERT INTO objects (kind, id, object) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET object = excluded.object",
			...[kind, id, JSON.stringify(object)],
		);
	}

	/** Returns a page of the objects that meet the conditions, newest first, and whether more objects follow in its
	 *  direction. Parses only the objects that it returns. Returns undefined for an unknown id. */
	list<Kind extends keyof Kinds>(
		kind: Kind,
		{ limit, startingAfter, endingBefore }: Page,
		where: Conditions = {},
	): { data: Kinds[Kind][]; more: boolean } | undefined {
		const from = endingBefore ?? startingAfter;
		const position = from === undefined ? undefined : this.#positionOf(kind, from);
		if (from !== undefined && position === undefined) return undefined;
		const [way, order] = endingBefore === undefined ? ["<", "DESC"] : [">", "ASC"];
		const conditions = Object.entries({ "kind = ?": kind, [`position ${way} ?`]: position, ...where }).flatMap(
			([sql, value]) => (value === undefined ? [] : [{ sql, value }]),
		);
		const rows = this.#sql
			.exec(
				`SELECT object FROM objects WHERE ${conditions.map(({ sql }) => sql).join(" AND ")} ORDER BY position ${order} LIMIT ?`,
				...[...conditions.map(({ value }) => value), limit + 1],
			)
			.toArray();
		const data: Kinds[Kind][] = rows.slice(0, limit).map(({ object }) => JSON.parse(String(object)));
		return { data: endingBefore === undefined ? data : data.toReversed(), more: rows.length > limit };
	}

	#positionOf(kind: keyof Kinds, id: string): number | undefined {
		const query = "SELECT position FROM objects WHERE kind = ? AND id = ?";
		const [row] = this.#sql.exec(query, kind, id).toArray();
		return row && Number(row["position"]);
	}
}
