import {
	type DataStrategyResult,
	data,
	isRouteErrorResponse,
	type MiddlewareFunction,
	redirectDocument,
} from "react-router";
import { customerRoute } from "#app/auth/use-customer.ts";
import { type FailedForm, isIntercepted } from "#app/tab/intercepted.ts";
import { handOver, loadDocument } from "#app/tab/tab.ts";
import { importPage, pages } from "#app/ui/page-code.ts";
import { requestTimeout, withTimeout } from "#app/ui/timeout.ts";
import { type Explanation, explanations, FailedRequest, readErrorResponse } from "./failed-request.ts";

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
	const url = new URL(request.url);
	const page = url.pathname + url.search;
	const isForm = request.method !== "GET";
	void importOrLoad(pattern, request.signal, isForm ? undefined : page);
	const loaded = await withTimeout(requestTimeout, send()).catch((error: unknown) => failAll(pattern, isForm, error));
	const [results, next] = handleFailure(shown, { page, isForm }, loaded);
	const failed = Object.values(results).find(isFailure);
	const cause = failed && (await explain(failed.result, url));
	// the shopper is elsewhere
	if (request.signal.aborted) return loaded;
	if (cause === explanations.intercepted && !isForm) {
		handOver();
		return { [customerRoute]: { type: "data", result: redirectDocument(url.href) } };
	}
	shown = next;
	if (!cause) return results;
	return replaceFailures(results, isForm ? refusalOf(cause) : { type: "error", result: new FailedRequest(cause) });
};

/** Imports a page's code. If that fails, loads the document at `path`, by default that of the page on screen. React Router
 *  imports the same code, and then reloads the page on screen, just before or after this. The later call wins, unless the
 *  browser is so busy that the reload ends before a timer: then the page on screen has the basket. */
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

/** Returns the results of a request without a response. */
function failAll(pattern: string, isForm: boolean, error: unknown): Results {
	const { id = customerRoute, hasLoader } = pages[pattern] ?? {};
	const failed: DataStrategyResult = { type: "error", result: error };
	if (isForm) return { [id]: failed };
	return { [id]: hasLoader ? failed : { type: "data", result: null }, [customerRoute]: failed };
}

/** Returns whether the result is neither data nor a redirect, which React Router also throws. */
const isFailure = ({ type, result }: DataStrategyResult) => type === "error" && !(result instanceof Response);

/** Decides what a request of the router changes. Returns the results to show, and what is then on screen. */
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
	const isKept = ([id, found]: [string, DataStrategyResult]) =>
		before.isCustomerKnown && (id === customerRoute ? lacksCustomer(found) : page === before.page && isFailure(found));
	const results = Object.fromEntries(Object.entries(loaded).filter((entry) => !isKept(entry)));
	const customer = results[customerRoute];
	const isCustomerKnown = before.isCustomerKnown || (customer?.type === "data" && !lacksCustomer(customer));
	return [results, { page: Object.values(results).some(isFailure) ? null : page, isCustomerKnown }];
}

/** Returns whether the customer could not be loaded, or D1 did not respond in time. */
function lacksCustomer(found: DataStrategyResult): boolean {
	const { result } = found;
	const isLate = typeof result === "object" && result !== null && "customer" in result && result.customer === undefined;
	return isLate || isFailure(found);
}

/** Returns the results with `replacement` in place of each failure. */
function replaceFailures(results: Results, replacement: DataStrategyResult): Results {
	const replaced = Object.entries(results).map(([id, found]) => [id, isFailure(found) ? replacement : found]);
	return Object.fromEntries(replaced);
}

/** Returns the data of a failed action, with an error status, after which React Router does not revalidate. */
function refusalOf(cause: Explanation): DataStrategyResult {
	const { title, advice } = cause;
	const refusal = cause === explanations.unreachable ? `${title}. ${advice}` : advice;
	const failed: FailedForm = { refusal, needsDocument: cause === explanations.intercepted };
	return { type: "data", result: data(failed, 503) };
}

/** Returns why a request has failed. React Router's error does not contain a response that it could not read, so this
 *  requests the page's data again, which something else may intercept, too. A fetch without a response rejects with a
 *  TypeError. */
async function explain(error: unknown, { origin, pathname, search }: URL): Promise<Explanation> {
	// React Router wraps the result of an action, even an error, in an object with its status
	const thrown = typeof error === "object" && error && "init" in error && "data" in error ? error.data : error;
	const isPage = isRouteErrorResponse(thrown) && thrown.status < 500 && /^\s*</.test(String(thrown.data));
	if (isPage) return explanations.intercepted;
	const response = readErrorResponse(thrown);
	if (response) return response;
	if (thrown instanceof DOMException && thrown.name === "TimeoutError") return explanations.unreachable;
	const options = { redirect: "manual", signal: AbortSignal.timeout(3000) } as const;
	const again = await fetch(`${origin}${pathname.replace(/\/$/, "/_")}.data${search}`, options).catch(() => null);
	if (again && isIntercepted(again)) return explanations.intercepted;
	return thrown instanceof TypeError ? explanations.unreachable : explanations.failing;
}
