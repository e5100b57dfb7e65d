import { type DataStrategyResult, data, type MiddlewareFunction } from "react-router";
import { requestTimeout, withTimeout } from "#app/http/timeout.ts";
import { explanations, FailedRequest } from "./failed-request.ts";
import { findRoute, loadPage } from "./page-code.tsx";

/** The router's results by route. Without a result, the router keeps a route's current data. */
type Results = Record<string, DataStrategyResult>;

/** What is on screen. */
interface Shown {
	/** Path and query of the page; null while an error page is shown. */
	page: string | null;
	/** Whether the customer on the page is still the signed-in customer, as far as the browser can tell. */
	isCustomerKnown: boolean;
}

/** A request of the router. */
interface RouterRequest {
	/** The page's path and query. */
	page: string;
	/** The route; the frame's if it is unknown. */
	id: string;
	/** Whether the page has a loader besides the frame's. */
	hasLoader: boolean | undefined;
	isForm: boolean;
	isCanceled: boolean;
}

/** The result of a promise, or why it was rejected. */
type Settled<Value> = { value: Value } | { error: unknown };

/** The route that loads the signed-in customer. */
const frame = "shell/frame";
const signOut = "routes/logout";

// unit tests have no location
let shown: Shown = { page: import.meta.env.SSR ? null : location.pathname + location.search, isCustomerKnown: true };

/** Records that the customer may have changed. Call it when another tab or the server reports a change. If the next
 *  request for data fails, an error page then replaces the current page. */
export function forgetCustomer(): void {
	shown = { ...shown, isCustomerKnown: false };
}

/** Records that the page on screen is an error page. Call it when the page failed on the server or while rendering,
 *  without a request of the router. */
export function forgetPage(): void {
	shown = { ...shown, page: null };
}

/** Runs around each request of the router, and limits its time. */
export const failureMiddleware: MiddlewareFunction<Results> = async ({ request, pattern }, send) => {
	const { id = frame, hasLoader } = findRoute(pattern) ?? {};
	const [code, loaded] = await Promise.all([settle(loadPage(id)), settle(send())]);
	const { pathname, search } = new URL(request.url);
	const isForm = request.method !== "GET";
	const isCanceled = request.signal.aborted;
	const sent = { page: pathname + search, id, hasLoader, isForm, isCanceled };
	const [results, next] = handleFailure(shown, sent, code, loaded);
	shown = next;
	return results;
};

const settle = <Value>(work: Promise<Value>): Promise<Settled<Value>> =>
	withTimeout(requestTimeout, work).then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);

/** Decides what a request of the router changes, after its page's code and its data were loaded. Returns the results,
 *  and what is then on screen. If a refresh of the page on screen fails, the page stays. If another page fails to load,
 *  the error page is shown below the header. If a form submission fails, the form gets an error message as its data. In
 *  each case the signed-in customer stays in the header, unless the customer may have changed. */
export function handleFailure(
	before: Shown,
	{ page, id, hasLoader, isForm, isCanceled }: RouterRequest,
	code: Settled<void>,
	loaded: Settled<Results>,
): [Results, Shown] {
	const failWith = (error: unknown): Results => ({
		[isForm || before.isCustomerKnown ? id : frame]: { type: "error", result: error },
	});
	let results: Results;
	if ("error" in code) results = failWith(code.error);
	else if ("value" in loaded) results = loaded.value;
	// a page without a loader needs no data: the request only reloaded the customer
	else if (!isForm && !hasLoader && before.isCustomerKnown) results = { [id]: { type: "data", result: null } };
	else results = failWith(loaded.error);
	if (isCanceled) return [results, before];
	return isForm ? refuseFailure(before, results) : keepPage(before, page, results);
}

function refuseFailure(before: Shown, results: Results): [Results, Shown] {
	let next = before;
	for (const [id, { type, result }] of Object.entries(results)) {
		if (result instanceof Response) {
			// a redirect: the customer has signed in or out
			next = { ...before, isCustomerKnown: false };
			// React Router ignores a form's redirect if another request has begun since, but always revalidates after
			// an action that returned data. On an error page, keep the redirect, which navigates away from the error
			// page
			if (id === signOut && before.page !== null) results[id] = { type: "data", result: null };
		} else if (type === "error") {
			results[id] = { type: "data", result: refusalOf(result) };
		}
	}
	return [results, next];
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

function keepPage(before: Shown, page: string, results: Results): [Results, Shown] {
	const isKept = page === before.page && before.isCustomerKnown;
	const next: Shown = { ...before, page };
	for (const [id, { type, result }] of Object.entries(results)) {
		if (result instanceof Response) continue;
		if (type === "data") {
			if (id !== frame) continue;
			if (!isUnknown(result)) next.isCustomerKnown = true;
			else if (before.isCustomerKnown) delete results[id];
		} else if (isKept || (id === frame && before.isCustomerKnown)) {
			delete results[id];
		} else {
			results[id] = { type: "error", result: failureOf(result) };
			next.page = null;
		}
	}
	return [results, next];
}

/** Returns whether the frame's data lacks the customer, because D1 did not respond in time. */
function isUnknown(result: unknown): boolean {
	return typeof result === "object" && result !== null && "customer" in result && result.customer === undefined;
}
