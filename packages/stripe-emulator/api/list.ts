import type { Kinds } from "../store.ts";
import { invalidRequest, noSuch } from "./errors.ts";
import type { Parameters } from "./parameters.ts";
import type { Call } from "./routes.ts";

type Listed = Exclude<keyof Kinds, "authentication" | "deleted_customer" | "payment_method" | "token">;

const urls: Record<Listed, string> = {
	balance_transaction: "/v1/balance_transactions",
	charge: "/v1/charges",
	customer: "/v1/customers",
	dispute: "/v1/disputes",
	early_fraud_warning: "/v1/radar/early_fraud_warnings",
	event: "/v1/events",
	payment_intent: "/v1/payment_intents",
	refund: "/v1/refunds",
	setup_attempt: "/v1/setup_attempts",
	setup_intent: "/v1/setup_intents",
	webhook_endpoint: "/v1/webhook_endpoints",
};

/** Reads `limit` (10 by default, at most 100), `created`, `starting_after` and `ending_before`. Returns a function that
 *  lists objects, newest first: those whose properties equal the parameters named in `equal`, if sent, and that satisfy
 *  `matches`. `own` lists the endpoint's other parameters. */
export function list<Kind extends Listed>(call: Call, kind: Kind, { equal, own, matches }: Filters<Kinds[Kind]> = {}) {
	return listAs<Kind, Kinds[Kind]>(call, kind, { equal, own, matches, shown: (object) => object, url: urls[kind] });
}

/** Does the same for a list at `url` of objects that `shown` converts for the API. */
export function listAs<Kind extends keyof Kinds, Shown extends { created: number }>(
	{ params, store }: Call,
	kind: Kind,
	{ equal = [], own = [], matches = () => true, shown, url }: ListOptions<Kinds[Kind], Shown>,
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
		const found = store.list(kind, page, (object) => {
			const seen = shown(object);
			return wasCreated(seen.created) && sent.every(({ name, value }) => seen[name] === value) && matches(seen);
		});
		if (!found) {
			const param = endingBefore === undefined ? "starting_after" : "ending_before";
			throw noSuch(kind, endingBefore ?? startingAfter ?? "", param);
		}
		return { object: "list", data: found.data.map(shown), has_more: found.more, url };
	};
}

interface Filters<Shown> {
	equal?: (keyof Shown & string)[] | undefined;
	own?: string[] | undefined;
	matches?: ((object: Shown) => boolean) | undefined;
}

interface ListOptions<Kept, Shown> extends Filters<Shown> {
	shown: (object: Kept) => Shown;
	url: string;
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
