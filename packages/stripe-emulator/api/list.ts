import type { Kinds } from "../store.ts";
import { invalidRequest, noSuch } from "./errors.ts";
import type { Parameters } from "./parameters.ts";
import type { Call } from "./routes.ts";

type Listed = Exclude<keyof Kinds, "authentication" | "payment_method" | "token">;

const urls: Record<Listed, string> = {
	charge: "/v1/charges",
	event: "/v1/events",
	payment_intent: "/v1/payment_intents",
	refund: "/v1/refunds",
};

/** Reads the parameters of a list (`limit`, `created`, `starting_after`, `ending_before`) and answers the work: newest
 *  first, 10 or up to 100 of those that `matches` is true of. Read the endpoint's own parameters first, naming them. */
export function list<Kind extends Listed>(
	{ params, store }: Call,
	kind: Kind,
	own: string[] = [],
	matches: (object: Kinds[Kind]) => boolean = () => true,
) {
	params.only("created", "ending_before", "limit", "starting_after", ...own);
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
	return () => {
		const page = { limit, startingAfter, endingBefore };
		const found = store.list(kind, page, (object) => wasCreated(object.created) && matches(object));
		if (!found) {
			const param = endingBefore === undefined ? "starting_after" : "ending_before";
			throw noSuch(kind, endingBefore ?? startingAfter ?? "", param);
		}
		return { object: "list", data: found.data, has_more: found.more, url: urls[kind] };
	};
}

/** `created` is a time in Unix seconds, or a group of bounds: `created[gte]=…`. */
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
