import type { Keys } from "../keys.ts";
import { API_VERSION } from "../objects/event.ts";
import { newId } from "../objects/ids.ts";
import { browserError, browserView, type Caller, callerOf } from "./access.ts";
import { authenticationRoutes } from "./authentications.ts";
import { balanceTransactionRoutes } from "./balance-transactions.ts";
import { chargeRoutes } from "./charges.ts";
import { customerRoutes } from "./customers.ts";
import { disputeRoutes } from "./disputes.ts";
import { ApiError, missingParameter, secretKeyRequired, serverError, unknownUrl } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { expand, takeExpansions } from "./expand.ts";
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
	/** The endpoint and the ids in the path; undefined if the URL is unknown. */
	found: { route: Route; id: string; innerId: string } | undefined;
}

export function newApiRequest(method: string, path: string, key: string | undefined): ApiRequest {
	return { id: newId("req_", 14), method, path, key, found: findRoute(method, path) };
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
	{ id: requestId, method, path, key, found }: ApiRequest,
	params: Parameters,
	rest: Omit<Call, "caller" | "clientSecret" | "id" | "innerId" | "params">,
	{ keys, instead }: { keys: Keys; instead: ApiError | undefined },
): ApiResponse {
	const caller = callerOf(key, params, keys);
	if (!found) throw unknownUrl(method, path);
	const { route, id, innerId } = found;
	if (caller === "browser" && route.browsers === "refused") throw secretKeyRequired();
	if (caller === "browser") params.take("key");
	const clientSecret =
		caller === "browser" && route.browsers === "with_client_secret" ? takeClientSecret(params) : null;
	const isList = route.name.endsWith(".list");
	const expansions = takeExpansions(params, { caller, isList, kind: route.returns });
	const work = route.prepare({ caller, clientSecret, id, innerId, params, ...rest });
	try {
		const object = expand(rest.store, work(), expansions);
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
