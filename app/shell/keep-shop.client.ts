import { type DataStrategyResult, data, type MiddlewareFunction } from "react-router";
import { forgetCustomer, isCustomerKnown, knowCustomer } from "#app/auth/known-customer.ts";
import { withTimeout } from "#app/http/timeout.ts";
import { explanations, FailedRequest, reasonOf } from "./failed-request.ts";
import { findRoute, loadPage } from "./page-code.tsx";
import { reportFailure } from "./retry-requests.ts";

type Results = Record<string, DataStrategyResult>;

/** Milliseconds. The Worker responds within 9 seconds. */
const requestTimeout = 10_000;

/** The route that loads the signed-in customer. */
const shop = "shell/shop";
const signOut = "routes/logout";

/** Path and query of the page on screen; null while that is an error page. */
let shown: string | null = location.pathname + location.search;

/** Call it when the page on screen has failed on the server or while rendering, without a request of the router. */
export function forgetPage(): void {
	shown = null;
}

/** Runs around each request of the router. When a refresh of the page on screen fails, the page stays; when another page
 *  fails to load, the error page replaces it inside the shop; a form that fails gets a refusal as its data. The signed-in
 *  customer stays known. */
export const keepShop: MiddlewareFunction<Results> = async ({ request, pattern }, next) => {
	const route = findRoute(pattern);
	const id = route?.id ?? shop;
	const isForm = request.method !== "GET";
	const failWith = (error: unknown): Results => ({
		[isForm || isCustomerKnown() ? id : shop]: { type: "error", result: error },
	});
	const code = withTimeout(requestTimeout, loadPage(id)).then(() => null, failWith);
	const loaded = await withTimeout(requestTimeout, next()).catch((error: unknown): Results => {
		// a page without a loader needs no data: the request was for the customer only
		const isMissed = !isForm && !route?.hasLoader && isCustomerKnown();
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
			// React Router drops a form's redirect once another request has begun, but always revalidates after data. An
			// error page needs the redirect, which leaves it
			if (id === signOut && shown !== null) results[id] = { type: "data", result: null };
		} else if (type === "error") {
			results[id] = { type: "data", result: refusalOf(result) };
			// the server may have processed the form
			reportFailure();
		}
	}
	return results;
}

/** Returns the data of an action that failed. After a response with an error status React Router does not revalidate. */
function refusalOf(result: unknown) {
	// React Router wraps the result of an action with its status, even an error
	const error = typeof result === "object" && result && "init" in result && "data" in result ? result.data : result;
	const { title, advice } = explanations[reasonOf(error)];
	return data({ refusal: `${title}. ${advice}` }, 503);
}

function keepPage(results: Results, { pathname, search }: URL): Results {
	const page = pathname + search;
	const isKept = page === shown && isCustomerKnown();
	shown = page;
	for (const [id, { type, result }] of Object.entries(results)) {
		if (result instanceof Response) continue;
		if (type === "data") {
			if (id === shop) knowCustomer();
			continue;
		}
		const reason = reasonOf(result);
		if (reason !== "outdated") reportFailure();
		// React Router keeps the data of a route without a result
		if (isKept || (id === shop && isCustomerKnown())) delete results[id];
		else {
			results[id] = { type: "error", result: new FailedRequest(reason) };
			shown = null;
		}
	}
	return results;
}
