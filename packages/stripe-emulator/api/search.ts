import type Stripe from "stripe";
import { invalidRequest } from "./errors.ts";
import type { Call } from "./routes.ts";

type Searched = Stripe.Charge | Stripe.Customer | Stripe.PaymentIntent;

/** The fields that a query can contain. */
const fields = {
	charge: ["currency", "customer", "status"],
	customer: ["email", "name", "phone"],
	payment_intent: ["currency", "customer", "status"],
} as const;

/** Reads `query`, `limit` and `page` of a search. Returns a function that lists the matching objects, newest first. A
 *  query consists of clauses such as status:"succeeded" and metadata["order"]:"7", joined by AND. */
export function search<Kind extends keyof typeof fields>({ params, store }: Call, kind: Kind, url: string) {
	params.only("limit", "page", "query");
	const matches = parse(params.required("query"), fields[kind]);
	const limit = params.integer("limit") ?? 10;
	if (limit < 1 || limit > 100) {
		throw invalidRequest("This value must be between 1 and 100.", { param: "limit" });
	}
	const startingAfter = params.text("page");
	return () => {
		const page = { limit, startingAfter, endingBefore: undefined };
		const found = store.list(kind, page, (object) => matches.every((isMatch) => isMatch(object)));
		if (!found) throw invalidRequest(`Invalid page: ${startingAfter}`, { param: "page" });
		const next_page = found.more ? (found.data.at(-1)?.id ?? null) : null;
		return { object: "search_result", data: found.data, has_more: found.more, next_page, url };
	};
}

function parse(query: string, fields: readonly string[]): ((object: Searched) => boolean)[] {
	return query.split(/\sAND\s/i).map((text) => {
		const clause = text.trim();
		const isMetadata = clause.startsWith("metadata[");
		const end = isMetadata ? clause.indexOf("]") : clause.indexOf(":") - 1;
		const colon = clause.indexOf(":", end);
		const name = clause.slice(0, colon).trim();
		const key = isMetadata ? unquoted(clause.slice("metadata[".length, end)) : undefined;
		const value = colon === -1 ? undefined : unquoted(clause.slice(colon + 1));
		const field = fields.find((known) => known === name);
		if (value !== undefined && key !== undefined) return ({ metadata }) => metadata[key] === value;
		if (value !== undefined && field) return (object) => new Map(Object.entries(object)).get(field) === value;
		throw invalidRequest(
			`The Stripe emulator cannot search for ${clause}. It supports ${fields.map((known) => `${known}:"value"`).join(", ")} and metadata["key"]:"value", joined by AND.`,
			{ param: "query" },
		);
	});
}

/** Returns the text between quotation marks; undefined if there are none. */
function unquoted(text: string): string | undefined {
	const quoted = text.trim();
	const [mark] = quoted;
	const inner = quoted.slice(1, -1);
	const isQuoted = quoted.length > 1 && (mark === '"' || mark === "'") && quoted.endsWith(mark);
	return isQuoted && !inner.includes(mark) ? inner : undefined;
}
