import type { Keys } from "../keys.ts";
import { API_VERSION } from "../objects/event.ts";
import { newId } from "../objects/ids.ts";
import { browserError, browserView, type Caller, callerOf } from "./access.ts";
import { authenticationRoutes } from "./authentications.ts";
import { chargeRoutes } from "./charges.ts";
import { ApiError, missingParameter, rawNumberRefused, secretKeyRequired, serverError, unknownUrl } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import type { ApiResponse } from "./idempotency.ts";
import type { Parameters } from "./parameters.ts";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { paymentMethodRoutes } from "./payment-methods.ts";
import { refundRoutes } from "./refunds.ts";
import type { Call, Route } from "./routes.ts";

export const routes: readonly Route[] = [
	...paymentIntentRoutes,
	...paymentMethodRoutes,
	...authenticationRoutes,
	...chargeRoutes,
	...refundRoutes,
	...eventRoutes,
];

/** An API request before its parameters are read. */
export interface ApiRequest {
	id: string;
	method: string;
	path: string;
	bearer: string | undefined;
	/** The endpoint and the id in the path; undefined if the URL is unknown. */
	found: { route: Route; id: string } | undefined;
}

export function newApiRequest(method: string, path: string, bearer: string | undefined): ApiRequest {
	return { id: newId("req_", 14), method, path, bearer, found: findRoute(method, path) };
}

function findRoute(method: string, path: string): ApiRequest["found"] {
	for (const route of routes) {
		const match = route.method === method && route.path.exec(path);
		if (match) return { route, id: match[1] ?? "" };
	}
	return undefined;
}

/** Runs the request and returns the result or error of its work as a response, which an idempotency key can replay.
 *  Throws an ApiError, which is never replayed, for an invalid API key, URL or parameter. `instead` is an injected
 *  error that replaces the result after the work is done. */
export function handle(
	{ id: requestId, method, path, bearer, found }: ApiRequest,
	params: Parameters,
	rest: Omit<Call, "caller" | "clientSecret" | "id" | "params">,
	{ keys, instead }: { keys: Keys; instead: ApiError | undefined },
): ApiResponse {
	const caller = callerOf(bearer, params, keys);
	if (!found) throw unknownUrl(method, path);
	const { route, id } = found;
	if (caller === "browser" && route.browsers === "refused") throw secretKeyRequired();
	if (caller === "server" && route.browsers === "only") throw rawNumberRefused("card[number]");
	if (caller === "browser") params.take("key");
	const clientSecret =
		caller === "browser" && route.browsers === "with_client_secret" ? takeClientSecret(params) : null;
	const work = route.prepare({ caller, clientSecret, id, params, ...rest });
	try {
		const object = work();
		if (instead) throw instead;
		return { status: 200, body: JSON.stringify(caller === "browser" ? browserView(object) : object), requestId };
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
	return { status, body: JSON.stringify({ error: caller === "browser" ? browserError(body) : body }), requestId };
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
