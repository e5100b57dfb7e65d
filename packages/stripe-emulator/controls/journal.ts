import type { Sql } from "../sql.ts";

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
	/** The request's parameters, without keys, client secrets and card data. The values of parameters that are not listed
	 *  below are hidden. */
	params: Record<string, string>;
	status: number;
	replayed: boolean;
	/** The injected fault, if any. */
	fault: string | null;
}

const maxEntries = 1000;
/** Parameters that are omitted entirely. */
const secret = /^(key|client_secret|card|payment_method_data)(\[|$)/;
/** Parameters whose values are stored. Any other parameter could contain card data. */
const harmless = new Set([
	...["amount", "cancellation_reason", "charge", "confirm", "created", "currency"],
	...["delivery_success", "description", "ending_before", "limit"],
	...["outcome", "payment_intent", "payment_method", "reason", "starting_after"],
	...["type", "use_stripe_sdk", "automatic_payment_methods[enabled]", "automatic_payment_methods[allow_redirects]"],
	...["created[gt]", "created[gte]", "created[lt]", "created[lte]"],
]);
const harmlessGroup = /^((allowed_payment_method_types|expand|types)\[\d*|metadata\[[^[\]]*)\]$/;

/** The last thousand requests to the account, without card numbers and security codes. */
export class Journal {
	readonly #sql: Sql;

	constructor(sql: Sql) {
		this.#sql = sql;
		sql.exec(
			"CREATE TABLE IF NOT EXISTS journal (position INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL) STRICT",
		);
	}

	write(entry: Omit<Entry, "params">, form: string): void {
		const sent = [...new URLSearchParams(form)].filter(([name]) => !secret.test(name));
		const params = Object.fromEntries(
			sent.map(([name, value]) =>
				harmless.has(name) || harmlessGroup.test(name)
					? [withoutNumbers(name), withoutNumbers(value)]
					: [name.replaceAll(/\d+/g, "[number]"), "[not shown]"],
			),
		);
		const key = entry.idempotency_key && withoutNumbers(entry.idempotency_key);
		const safe: Entry = { ...entry, path: withoutNumbers(entry.path), idempotency_key: key, params };
		this.#sql.exec("INSERT INTO journal (entry) VALUES (?)", JSON.stringify(safe));
		this.#sql.exec("DELETE FROM journal WHERE position <= (SELECT max(position) FROM journal) - ?", maxEntries);
	}

	/** Returns up to `limit` entries, newest first. */
	read(limit: number): Entry[] {
		const query = "SELECT entry FROM journal ORDER BY position DESC LIMIT ?";
		return this.#sql
			.exec(query, limit)
			.toArray()
			.map(({ entry }) => JSON.parse(String(entry)));
	}
}

/** Masks card numbers: 12 or more digits, which spaces or hyphens may separate. */
function withoutNumbers(text: string): string {
	return text.replaceAll(/(?<![0-9A-Za-z])\d[\d -]*(?![0-9A-Za-z])/g, (digits) =>
		digits.replaceAll(/\D/g, "").length >= 12 ? "[number]" : digits,
	);
}
