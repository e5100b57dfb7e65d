import { type DataStrategyResult, data, type MiddlewareFunction } from "react-router";
import { forgetCustomer, isCustomerKnown, knowCustomer } from "#app/auth/known-customer.ts";
import { explain, FailedRequest, reasonOf } from "./failed-request.ts";
import { findRoute, loadPage } from "./page-code.tsx";
import { reportFailure } from "./retry-requests.ts";

type Results = Record<string, DataStrategyResult>;

/** Milliseconds. The Worker responds within 9 seconds. */
const requestTimeout = 10_000;

/** The route that loads who is signed in. */
const shop = "shell/shop";

/** Path and query of the page on screen; null while that is an error page. */
let shown: string | null = location.pathname + location.search;

/** Runs around each request of the router. One that fails to refresh the page on screen leaves it as it is; one that
 *  fails to load another page shows the error page inside the shop; a form that fails gets a refusal as its data. Who is
 *  signed in stays known. */
export const keepShop: MiddlewareFunction<Results> = async ({ request, pattern }, next) => {
	const route = findRoute(pattern);
	const id = route?.id ?? shop;
	const isForm = request.method !== "GET";
	const failWith = (error: unknown): Results => ({
		[isForm || isCustomerKnown() ? id : shop]: { type: "error", result: error },
	});
	const code = within(requestTimeout, loadPage(id)).then(() => null, failWith);
	const loaded = await within(requestTimeout, next()).catch((error: unknown): Results => {
		// of a page without data only the customer was to be loaded
		const isMissed = !isForm && !route?.hasLoader && isCustomerKnown();
		return isMissed ? { [id]: { type: "data", result: null } } : failWith(error);
	});
	const results = (await code) ?? loaded;
	if (request.signal.aborted) return results;

	const failed = Object.keys(results).filter((id) => isFailure(results[id]));
	if (isForm) {
		if (failed.length === 0) forgetCustomer();
		for (const id of failed) results[id] = { type: "data", result: refusalOf(results[id]?.result) };
		return results;
	}
	const { pathname, search } = new URL(request.url);
	const page = pathname + search;
	const isKept = page === shown && isCustomerKnown();
	shown = page;
	for (const id of failed) {
		// React Router keeps the data of a route without a result
		if (isKept || (id === shop && isCustomerKnown())) delete results[id];
		else {
			results[id] = { type: "error", result: new FailedRequest(reasonOf(results[id]?.result)) };
			shown = null;
		}
	}
	if (shop in results && !failed.includes(shop)) knowCustomer();
	if (failed.length > 0) reportFailure();
	return results;
};

/** Returns what a form's action returns when it did not work. With the status of an error nothing is loaded again. React
 *  Router gives the result of an action, even an error, a status: then it is the `data` of the result. */
function refusalOf(result: unknown) {
	const error = typeof result === "object" && result && "init" in result && "data" in result ? result.data : result;
	const { title, advice } = explain(reasonOf(error));
	return data({ refusal: `${title}. ${advice}` }, 503);
}

/** Whether a route has failed. A redirect is a Response that was thrown. */
function isFailure(result: DataStrategyResult | undefined): boolean {
	return result?.type === "error" && !(result.result instanceof Response);
}

function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new FailedRequest("unreachable")), ms);
	});
	return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
