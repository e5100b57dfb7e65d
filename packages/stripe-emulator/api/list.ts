import { invalidRequest, noSuch } from "../errors.ts";
import type { Kinds } from "../store.ts";
import type { Parameters } from "./parameters.ts";
import type { Call } from "./routes.ts";

interface Filters<Listed> {
	equal?: (keyof Listed & string)[];
	own?: string[];
	matches?: (object: Listed) => boolean;
}

type Listed = Exclude<keyof Kinds, "authentication" | "payment_method">;

const urls: Record<Listed, string> = {
	charge: "/v1/charges",
	event: "/v1/events",
	payment_intent: "/v1/payment_intents",
	refund: "/v1/refunds",
};

/** Reads `limit` (10 by default, at most 100), `created`, `starting_after` and `ending_before`. Returns a function that
 *  lists objects, newest first: those whose properties equal the parameters named in `equal`, if sent, and that satisfy
 *  `matches`. `own` lists the endpoint's other parameters. */
export function list<Kind extends Listed>(
	{ params, store }: Call,
	kind: Kind,
	{ equal = [], own = [], matches = () => true }: Filters<Kinds[Kind]> = {},
) {
	params.only("created", "ending_before", "limit", "starting_after", ...equal, ...own);
	const limit = params.integer("limit") ?? 10;
	if (limit < 1 || limit > 100) {
		const code = "parameter_invalid_integer";
		throw invalidRequest("This value must be between 1 and 100.", { code, param: "limit" });
	}
	const startingAfter = params.text("starting_after");
	const endingBefore = params.text("ending_before");
	if (startingAfter !== undefined && endingBefore !== undefined) {
		throw invalidRequest("You may only specify one of these parameters: ending_before, starting_after.");
	}
	const wasCreated = readCreated(params);
	const sent = equal.map((name) => ({ name, value: params.text(name) })).filter(({ value }) => value !== undefined);
	return () => {
		const page = { limit, startingAfter, endingBefore };
		const found = store.list(
			kind,
			page,
			(object) =>
				wasCreated(object.created) && sent.every(({ name, value }) => object[name] === value) && matches(object),
		);
		if (!found) {
			const param = endingBefore === undefined ? "starting_after" : "ending_before";
			throw noSuch(kind, endingBefore ?? startingAfter ?? "", param);
		}
		return { object: "list", data: found.data, has_more: found.more, url: urls[kind] };
	};
}

/** Reads `created`: a time in Unix seconds, or bounds such as `created[gte]`. Returns a filter for creation times. */
function readCreated(params: Parameters): (created: number) => boolean {
	if (!params.isGroup("created")) {
		const exactly = params.integer("created");
		return (created) => exactly === undefined || created === exactly;
	}
	const bounds = params.group("created");
	bounds?.only("gt", "gte", "lt", "lte");
	const [gt, gte, lt, lte] = [
		bounds?.integer("gt"),
		bounds?.integer("gte"),
		bounds?.integer("lt"),
		bounds?.integer("lte"),
	];
	return (created) =>
		(gt === undefined || created > gt) &&
		(gte === undefined || created >= gte) &&
		(lt === undefined || created < lt) &&
		(lte === undefined || created <= lte);
}
