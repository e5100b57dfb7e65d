import { type DataStrategyResult, data, type MiddlewareFunction } from "react-router";
import { withTimeout } from "#app/http/timeout.ts";
import { explanations, FailedRequest } from "./failed-request.ts";
import { findRoute, loadPage } from "./page-code.tsx";

type Results = Record<string, DataStrategyResult>;

/** Timeout of a request, in milliseconds. The Worker responds within 9 seconds. */
const requestTimeout = 10_000;

/** The route that loads the signed-in customer. */
const shop = "shell/frame";
const signOut = "routes/logout";

/** Path and query of the page on screen; null while an error page is shown. */
let shown: string | null = location.pathname + location.search;

/** Whether the customer on the page is still the signed-in customer, as far as the browser can tell. */
let isCustomerKnown = true;

/** Records that the customer may have changed. Call it when another tab or the server reports a change. If the next
 *  request for data fails, an error page then replaces the current page. */
export function forgetCustomer(): void {
	isCustomerKnown = false;
}

/** Records that the page on screen is an error page. Call it when the page failed on the server or while rendering,
 *  without a request of the router. */
export function forgetPage(): void {
	shown = null;
}

/** Runs around each request of the router. If a refresh of the page on screen fails, the page stays. If another page
 *  fails to load, the error page is shown below the header. If a form submission fails, the form gets an error message
 *  as its data. In each case the signed-in customer stays in the header. */
export const keepShop: MiddlewareFunction<Results> = async ({ request, pattern }, next) => {
	const route = findRoute(pattern);
	const id = route?.id ?? shop;
	const isForm = request.method !== "GET";
	const failWith = (error: unknown): Results => ({
		[isForm || isCustomerKnown ? id : shop]: { type: "error", result: error },
	});
	const code = withTimeout(requestTimeout, loadPage(id)).then(() => null, failWith);
	const loaded = await withTimeout(requestTimeout, next()).catch((error: unknown): Results => {
		// a page without a loader needs no data: the request only reloaded the customer
		const isMissed = !isForm && !route?.hasLoader && isCustomerKnown;
		return isMissed ? { [id]: { type: "data", result: null } } : failWith(error);
	});
	const results = (await code) ?? loaded;
	if (request.signal.aborted) return results;
	return isForm ? refuseFailure(results) : keepPage(results, new URL(request.url));
};

function refuseFailure(results: Results): Results {
	for (const [id, { type, result }] of Object.entries(results)) {
		if (result instanceof Response) {
			// a redirect: the customer has signed in or out
			forgetCustomer();
			// React Router ignores a form's redirect if another request has begun since, but always revalidates after
			// an action that returned data. On an error page, keep the redirect, which navigates away from the error
			// page
			if (id === signOut && shown !== null) results[id] = { type: "data", result: null };
		} else if (type === "error") {
			results[id] = { type: "data", result: refusalOf(result) };
		}
	}
	return results;
}

/** Returns the data of a failed action, with an error status, after which React Router does not revalidate. */
function refusalOf(result: unknown) {
	// React Router wraps the result of an action, even an error, in an object with its status
	const error = typeof result === "object" && result && "init" in result && "data" in result ? result.data : result;
	const { title, advice } = explanations[failureOf(error).reason];
	return data({ refusal: `${title}. ${advice}` }, 503);
}

function failureOf(error: unknown): FailedRequest {
	return error instanceof FailedRequest ? error : new FailedRequest("unreachable", { cause: error });
}

function keepPage(results: Results, { pathname, search }: URL): Results {
	const page = pathname + search;
	const isKept = page === shown && isCustomerKnown;
	shown = page;
	for (const [id, { type, result }] of Object.entries(results)) {
		if (result instanceof Response) continue;
		if (type === "data") {
			if (id !== shop) continue;
			if (!isUnknown(result)) isCustomerKnown = true;
			else if (isCustomerKnown) delete results[id];
			continue;
		}
		// without a result, React Router keeps the route's current data
		if (isKept || (id === shop && isCustomerKnown)) delete results[id];
		else {
			results[id] = { type: "error", result: failureOf(result) };
			shown = null;
		}
	}
	return results;
}

/** Returns whether the shop's data lacks the customer, because D1 did not respond in time. */
function isUnknown(result: unknown): boolean {
	return typeof result === "object" && result !== null && "customer" in result && result.customer === undefined;
}
