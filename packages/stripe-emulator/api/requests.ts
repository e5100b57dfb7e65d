import { ApiError, missingParameter, secretKeyRequired, serverError, unsupportedUrl } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { API_VERSION } from "../objects/event.ts";
import { newId } from "../objects/ids.ts";
import { browserError, browserView, type Caller, callerOf, headerKey } from "./access.ts";
import { authenticationRoutes } from "./authentications.ts";
import { chargeRoutes } from "./charges.ts";
import { eventRoutes } from "./events.ts";
import { takeExpand } from "./expand.ts";
import type { ApiResponse } from "./idempotency.ts";
import type { Parameters } from "./parameters.ts";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { refundRoutes } from "./refunds.ts";
import { type Call, nameOf, type Route } from "./routes.ts";
import { webhookEndpointRoutes } from "./webhook-endpoints.ts";

export const routes: readonly Route[] = [
	...paymentIntentRoutes,
	...authenticationRoutes,
	...chargeRoutes,
	...refundRoutes,
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
	/** The endpoint and the id in the path; undefined if the URL is not supported. */
	found: { route: Route; id: string } | undefined;
}

export function newApiRequest(request: Request): ApiRequest {
	const { method } = request;
	const path = new URL(request.url).pathname;
	return { id: newId("req_", 14), method, path, key: headerKey(request), found: findRoute(method, path) };
}

function findRoute(method: string, path: string): ApiRequest["found"] {
	const called = nameOf(method, path);
	const route = routes.find(({ name }) => name === called?.name);
	return called && route && { route, id: called.id };
}

/** Runs the request and returns the result or error of its work as a response, which an idempotency key can replay.
 *  Throws an ApiError, which is never replayed, for an invalid API key, URL or parameter. `instead` is an injected
 *  error that replaces the result after the work is done. */
export function handle(
	request: ApiRequest,
	params: Parameters,
	rest: Omit<Call, "caller" | "clientSecret" | "id" | "params">,
	{ keys, instead }: { keys: Keys; instead: ApiError | undefined },
): ApiResponse {
	const caller = callerOf(request.key, params, keys);
	if (!request.found) {
		const endpoints = routes.map(({ name }) => name);
		throw unsupportedUrl(request.method, request.path, endpoints);
	}
	const { route, id } = request.found;
	if (caller === "browser" && !route.browsers) throw secretKeyRequired();
	if (caller === "browser") params.remove("key");
	const clientSecret = caller === "browser" ? takeClientSecret(params) : null;
	const expand = takeExpand(params, caller === "browser" ? "" : route.name);
	const work = route.prepare({ caller, clientSecret, id, params, ...rest });
	try {
		const object = expand(rest.store, work());
		if (instead) throw instead;
		const shown = caller === "browser" ? browserView(object) : object;
		return { status: 200, body: jsonOf(shown), requestId: request.id };
	} catch (error) {
		return errorResponse(instead ?? error, caller, request.id);
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
