import { type DataStrategyResult, data, isRouteErrorResponse, type MiddlewareFunction } from "react-router";
import { customerRoute } from "#app/auth/use-customer.ts";
import { type FailedForm, isIntercepted } from "#app/http/intercepted.ts";
import { requestTimeout, withTimeout } from "#app/http/timeout.ts";
import { handOver, loadDocument } from "#app/tab/tab.ts";
import { type Explanation, explanations, FailedRequest, readErrorResponse } from "./failed-request.ts";
import { importPage, pages } from "./page-code.ts";

/** The router's results by route. Without a result, the router keeps a route's current data. */
type Results = Record<string, DataStrategyResult>;

/** What is on screen. */
interface Shown {
	/** Path and query of the page; null while an error page is shown. */
	page: string | null;
	/** Whether the customer on the page is still the signed-in customer, as far as the browser can tell. */
	isCustomerKnown: boolean;
}

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

/** Runs around each request of the router, and limits its time. A page whose code cannot be imported, or whose data
 *  something other than the shop answers for, is loaded as a document, which keeps the basket. */
export const failureMiddleware: MiddlewareFunction<Results> = async ({ request, pattern }, send) => {
	const { id = customerRoute, hasLoader } = pages[pattern] ?? {};
	const { pathname, search } = new URL(request.url);
	const page = pathname + search;
	const isForm = request.method !== "GET";
	void importOrLoad(pattern, request.signal, isForm ? undefined : page);
	const loaded = await withTimeout(requestTimeout, send()).catch((error: unknown): Results => {
		const failed: DataStrategyResult = { type: "error", result: error };
		if (isForm) return { [id]: failed };
		return { [customerRoute]: failed, [id]: hasLoader ? failed : { type: "data", result: null } };
	});
	if (request.signal.aborted) return loaded;
	const [results, next] = handleFailure(shown, { page, isForm }, loaded);
	const failed = Object.values(results).find(isFailure);
	const explanation = failed && (await explain(failed.result, pathname, search));
	if (request.signal.aborted) return loaded;
	if (explanation === explanations.intercepted && !isForm) {
		loadDocument(page);
		// this page stays until the document arrives, and is no longer loading if the browser shows it again
		return new Promise((resolve) => request.signal.addEventListener("abort", () => resolve(loaded)));
	}
	shown = next;
	for (const [id, result] of Object.entries(results)) {
		if (!isFailure(result) || !explanation) continue;
		if (isForm) results[id] = { type: "data", result: refusalOf(explanation) };
		else results[id] = { type: "error", result: new FailedRequest(explanation) };
	}
	return results;
};

/** Imports a page's code. If that fails, loads the document at `path`, by default the page on screen. React Router imports
 *  the same code, and then reloads the page on screen, just before or after this. The later call wins, unless the browser
 *  is so busy that the reload ends before a timer. */
async function importOrLoad(pattern: string, signal: AbortSignal, path?: string): Promise<void> {
	try {
		await importPage(pattern);
	} catch {
		// the shopper is elsewhere, such as on the page to which Back has led
		const load = () => signal.aborted || loadDocument(path);
		load();
		// for the reload
		handOver();
		setTimeout(load);
	}
}

/** Returns whether the result is neither data nor a redirect, which React Router also throws. */
const isFailure = ({ type, result }: DataStrategyResult) => type === "error" && !(result instanceof Response);

/** Decides what a request of the router changes. Returns the results, and what is then on screen. */
export function handleFailure(
	before: Shown,
	{ page, isForm }: { page: string; isForm: boolean },
	loaded: Results,
): [Results, Shown] {
	return isForm ? afterForm(before, loaded) : afterPage(before, page, loaded);
}

/** A form that redirects has signed the customer in or out. */
function afterForm(before: Shown, loaded: Results): [Results, Shown] {
	if (!Object.values(loaded).some(({ result }) => result instanceof Response)) return [loaded, before];
	// React Router ignores a form's redirect if another request has begun since, but always revalidates after an action
	// that returned data. On an error page, keep the redirect, which navigates away from the error page
	const isRevalidated = signOut in loaded && before.page !== null;
	return [
		isRevalidated ? { [signOut]: { type: "data", result: null } } : loaded,
		{ ...before, isCustomerKnown: false },
	];
}

/** If a refresh of the page on screen fails, the page stays. If another page fails to load, its error replaces it. The
 *  signed-in customer stays in the header in either case, unless the customer may have changed. */
function afterPage(before: Shown, page: string, loaded: Results): [Results, Shown] {
	const results: Results = {};
	const next: Shown = { ...before, page };
	for (const [id, found] of Object.entries(loaded)) {
		const isCustomer = id === customerRoute;
		const isKept = before.isCustomerKnown && (isCustomer || page === before.page);
		const isMissing = isFailure(found) || (isCustomer && isUnknown(found.result));
		if (isMissing && isKept) continue;
		results[id] = found;
		if (isFailure(found)) next.page = null;
		else if (isCustomer && found.type === "data" && !isMissing) next.isCustomerKnown = true;
	}
	return [results, next];
}

/** Returns whether the data lacks the customer, because D1 did not respond in time. */
function isUnknown(result: unknown): boolean {
	return typeof result === "object" && result !== null && "customer" in result && result.customer === undefined;
}

/** Returns the data of a failed action, with an error status, after which React Router does not revalidate. */
function refusalOf(explanation: Explanation) {
	const { title, advice } = explanation;
	const refusal = explanation === explanations.unreachable ? `${title}. ${advice}` : advice;
	const failed: FailedForm = { refusal, needsDocument: explanation === explanations.intercepted };
	return data(failed, 503);
}

/** Returns why a request has failed. React Router's error does not contain a response that it could not read, so this
 *  requests the page's data again, which something else may intercept, too. A fetch without a response rejects with a
 *  TypeError. */
async function explain(error: unknown, pathname: string, search: string): Promise<Explanation> {
	// React Router wraps the result of an action, even an error, in an object with its status
	const cause = typeof error === "object" && error && "init" in error && "data" in error ? error.data : error;
	const isPage = isRouteErrorResponse(cause) && cause.status < 500 && /^\s*</.test(String(cause.data));
	if (isPage) return explanations.intercepted;
	const response = readErrorResponse(cause);
	if (response) return response;
	if (cause instanceof DOMException && cause.name === "TimeoutError") return explanations.unreachable;
	const otherwise = explanations[cause instanceof TypeError ? "unreachable" : "failing"];
	const url = `${location.origin}${pathname.replace(/\/$/, "/_")}.data${search}`;
	return fetch(url, { redirect: "manual", signal: AbortSignal.timeout(3000) }).then(
		(response) => (isIntercepted(response) ? explanations.intercepted : otherwise),
		() => otherwise,
	);
}
