import { invalidRequest, noSuch } from "../errors.ts";
import type { Conditions, Kinds } from "../store.ts";
import type { Parameters } from "./parameters.ts";
import type { Call } from "./routes.ts";

interface Filters<Listed> {
	equal?: (keyof Listed & string)[];
	own?: string[];
	where?: Conditions;
}

type Listed = Exclude<keyof Kinds, "authentication" | "payment_method">;

const urls: Record<Listed, string> = {
	charge: "/v1/charges",
	event: "/v1/events",
	payment_intent: "/v1/payment_intents",
	refund: "/v1/refunds",
};

/** Reads `limit` (10 by default, at most 100), `created`, `starting_after` and `ending_before`. Returns a function that
 *  lists objects, newest first: those whose properties equal the parameters named in `equal`, if sent, and that meet the
 *  conditions in `where`. `own` lists the endpoint's other parameters. */
export function list<Kind extends Listed>(
	{ params, store }: Pick<Call, "params" | "store">,
	kind: Kind,
	{ equal = [], own = [], where = {} }: Filters<Kinds[Kind]> = {},
) {
	params.only("created", "ending_before", "limit", "starting_after", ...equal, ...own);
	const limit = params.integer("limit", { min: 1, max: 100 }) ?? 10;
	const startingAfter = params.text("starting_after");
	const endingBefore = params.text("ending_before");
	if (startingAfter !== undefined && endingBefore !== undefined) {
		throw invalidRequest("You may only specify one of these parameters: ending_before, starting_after.");
	}
	const equals = Object.fromEntries(equal.map((name) => [`object ->> '$.${name}' = ?`, params.text(name)]));
	const conditions = { ...readCreated(params), ...equals, ...where };
	return () => {
		const found = store.list(kind, { limit, startingAfter, endingBefore }, conditions);
		if (!found) {
			const param = endingBefore === undefined ? "starting_after" : "ending_before";
			throw noSuch(kind, endingBefore ?? startingAfter ?? "", param);
		}
		return { object: "list", data: found.data, has_more: found.more, url: urls[kind] };
	};
}

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" };

/** Reads `created`: a time in Unix seconds, or bounds such as `created[gte]`. */
function readCreated(params: Parameters): Conditions {
	if (!params.isGroup("created")) return { "object ->> '$.created' = ?": params.integer("created") };
	const bounds = params.group("created");
	bounds?.only(...Object.keys(comparisons));
	return Object.fromEntries(
		Object.entries(comparisons).map(([name, comparison]) => [
			`object ->> '$.created' ${comparison} ?`,
			bounds?.integer(name),
		]),
	);
}
