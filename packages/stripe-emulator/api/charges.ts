import { invalidRequest, noSuch } from "../errors.ts";
import { list } from "./list.ts";
import type { Call, Route } from "./routes.ts";

export const chargeRoutes: readonly Route[] = [
	{ name: "charges.retrieve", browsers: false, prepare: retrieve },
	{ name: "charges.list", browsers: false, prepare: listAll },
	{ name: "charges.search", browsers: false, prepare: search },
];

function retrieve({ id, params, store }: Call) {
	params.only();
	return () => store.get("charge", id, "id");
}

function listAll(call: Call) {
	return list(call, "charge", { equal: ["payment_intent"] });
}

/** Finds the charges of cards that end with four digits, newest first. Supports no other clause of Stripe's query
 *  language. `page` is the id of the last charge of the previous page. */
function search({ params, store }: Call) {
	params.only("limit", "page", "query");
	const [, last4] = /^payment_method_details\.card\.last4:"(\d{4})"$/.exec(params.required("query")) ?? [];
	const example = 'payment_method_details.card.last4:"4242"';
	if (!last4) throw invalidRequest(`The Stripe emulator supports only the query ${example}.`, { param: "query" });
	const limit = params.integer("limit", { min: 1, max: 100 }) ?? 10;
	const page = { limit, startingAfter: params.text("page"), endingBefore: undefined };
	return () => {
		const found = store.list("charge", page, { "object ->> '$.payment_method_details.card.last4' = ?": last4 });
		if (!found) throw noSuch("page", page.startingAfter ?? "", "page");
		const next_page = found.more ? (found.data.at(-1)?.id ?? null) : null;
		return { object: "search_result", data: found.data, has_more: found.more, next_page, url: "/v1/charges/search" };
	};
}
