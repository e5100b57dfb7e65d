import type { Keys } from "../keys.ts";
import { API_VERSION } from "../objects/event.ts";
import { newId } from "../objects/ids.ts";
import { browserError, browserView, type Caller, callerOf, headerKey } from "./access.ts";
import { authenticationRoutes } from "./authentications.ts";
import { balanceTransactionRoutes } from "./balance-transactions.ts";
import { chargeRoutes } from "./charges.ts";
import { customerRoutes } from "./customers.ts";
import { disputeRoutes } from "./disputes.ts";
import { ApiError, missingParameter, secretKeyRequired, serverError, unknownUrl } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { expand, takeExpansions } from "./expand.ts";
import { type ApiHeaders, hasOldTypes, readHeaders } from "./headers.ts";
import type { ApiResponse } from "./idempotency.ts";
import type { Parameters } from "./parameters.ts";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { paymentMethodRoutes } from "./payment-methods.ts";
import { refundRoutes } from "./refunds.ts";
import type { Call, Route } from "./routes.ts";
import { savedPaymentMethodRoutes } from "./saved-payment-methods.ts";
import { setupIntentRoutes } from "./setup-intents.ts";
import { webhookEndpointRoutes } from "./webhook-endpoints.ts";

export const routes: readonly Route[] = [
	...paymentIntentRoutes,
	...paymentMethodRoutes,
	...savedPaymentMethodRoutes,
	...customerRoutes,
	...setupIntentRoutes,
	...authenticationRoutes,
	...chargeRoutes,
	...refundRoutes,
	...disputeRoutes,
	...balanceTransactionRoutes,
	...eventRoutes,
	...webhookEndpointRoutes,
];

/** An API request before its parameters are read. */
export interface ApiRequest {
	id: string;
	method: string;
	path: string;
	/** The API key in the Authorization header. */
	key: string | undefined;
	headers: ApiHeaders;
	/** The endpoint and the ids in the path; undefined if the URL is unknown. */
	found: { route: Route; id: string; innerId: string } | undefined;
}

export function newApiRequest(request: Request, path: string): ApiRequest {
	const { method } = request;
	const [key, headers] = [headerKey(request), readHeaders(request)];
	return { id: newId("req_", 14), method, path, key, headers, found: findRoute(method, path) };
}

/** Resources of the emulator, which Stripe's API does not have. */
const ownResources = ["card_parts", "three_d_secure"];

/** Returns the 404 for a URL that the emulator does not serve, which says what it does serve. */
export function unsupportedUrl(method: string, path: string): ApiError {
	const names = routes.map(({ name }) => name.split("."));
	const resource = path.split("/")[2] ?? "";
	const actions = names.flatMap(([known, action = ""]) => (known === resource ? [action] : []));
	const resources = [...new Set(names.map(([known = ""]) => known))].filter((known) => !ownResources.includes(known));
	return unknownUrl(
		method,
		path,
		actions.length > 0
			? `The Stripe emulator supports these methods of ${resource}: ${actions.join(", ")}.`
			: `The Stripe emulator supports these resources: ${resources.toSorted().join(", ")}.`,
	);
}

function findRoute(method: string, path: string): ApiRequest["found"] {
	for (const route of routes) {
		const match = route.method === method && route.path.exec(path);
		if (match) return { route, id: match[1] ?? "", innerId: match[2] ?? "" };
	}
	return undefined;
}

/** Runs the request and returns the result or error of its work as a response, which an idempotency key can replay.
 *  Throws an ApiError, which is never replayed, for an invalid API key, URL or parameter. `instead` is an injected
 *  error that replaces the result after the work is done. */
export function handle(
	{ id: requestId, method, path, key, headers, found }: ApiRequest,
	params: Parameters,
	rest: Omit<Call, "caller" | "clientSecret" | "id" | "innerId" | "params">,
	{ keys, instead }: { keys: Keys; instead: ApiError | undefined },
): ApiResponse {
	const caller = callerOf(key, params, keys);
	const oldTypes = hasOldTypes(headers);
	if (!found) throw unsupportedUrl(method, path);
	const { route, id, innerId } = found;
	if (oldTypes) params.rename("payment_method_types", "allowed_payment_method_types");
	if (caller === "browser" && route.browsers === "refused") throw secretKeyRequired();
	if (caller === "browser") params.take("key");
	const clientSecret =
		caller === "browser" && route.browsers === "with_client_secret" ? takeClientSecret(params) : null;
	const isList = route.name.endsWith(".list") || route.name.endsWith(".search");
	const expansions = takeExpansions(params, { caller, isList, kind: route.returns });
	const work = route.prepare({ caller, clientSecret, id, innerId, params, ...rest });
	try {
		const object = expand(rest.store, work(), expansions);
		if (instead) throw instead;
		return { status: 200, body: jsonOf(caller === "browser" ? browserView(object) : object), requestId };
	} catch (error) {
		return errorResponse(instead ?? error, caller, requestId);
	}
}

function takeClientSecret(params: Parameters): string {
	const clientSecret = params.take("client_secret");
	if (clientSecret === undefined) throw missingParameter("client_secret");
	return clientSecret;
}

/** Returns the error response. Any error that is not an ApiError is a bug: it is logged and returned as a 500. */
export function errorResponse(error: unknown, caller: Caller, requestId: string): ApiResponse {
	if (!(error instanceof ApiError)) console.error(`Stripe emulator, ${requestId}:`, error);
	const { status, body } = error instanceof ApiError ? error : serverError();
	return { status, body: jsonOf({ error: caller === "browser" ? browserError(body) : body }), requestId };
}

/** Returns indented JSON, as Stripe sends it, because people read it in terminals. */
function jsonOf(object: object): string {
	return JSON.stringify(object, null, 2);
}

/** Returns the HTTP response. A replayed response has the original request's id in `Original-Request`. */
export function toResponse(
	{ status, body, requestId: first, replayed }: ApiResponse & { replayed: boolean },
	requestId: string,
	key: string | null,
) {
	return new Response(body, {
		status,
		headers: {
			"Cache-Control": "no-store",
			"Content-Type": "application/json",
			"Request-Id": requestId,
			"Stripe-Version": API_VERSION,
			...(key === null ? {} : { "Idempotency-Key": key }),
			...(first === requestId ? {} : { "Original-Request": first }),
			...(replayed ? { "Idempotent-Replayed": "true" } : {}),
		},
	});
}
