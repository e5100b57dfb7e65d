import { type DataStrategyResult, data } from "react-router";
import { explanations, FailedRequest } from "./failed-request.ts";

/** The router's results by route. Without a result, the router keeps a route's current data. */
export type Results = Record<string, DataStrategyResult>;

/** What is on screen. */
export interface Shown {
	/** Path and query of the page; null while an error page is shown. */
	page: string | null;
	/** Whether the customer on the page is still the signed-in customer, as far as the browser can tell. */
	isCustomerKnown: boolean;
}

/** A request of the router. */
export interface RouterRequest {
	/** The page's path and query. */
	page: string;
	/** The route; the frame's if it is unknown. */
	id: string;
	hasLoader: boolean;
	isForm: boolean;
	isCanceled: boolean;
}

interface Decision {
	results: Results;
	shown: Shown;
}

/** The route that loads the signed-in customer. */
export const frame = "shell/frame";
const signOut = "routes/logout";

/** Decides what a request of the router changes, after its page's code and its data have been loaded. If a refresh of the
 *  page on screen fails, the page stays. If another page fails to load, the error page is shown below the header. If a
 *  form submission fails, the form gets an error message as its data. In each case the signed-in customer stays in the
 *  header. */
export function keepShop(
	shown: Shown,
	request: RouterRequest,
	code: PromiseSettledResult<void>,
	loaded: PromiseSettledResult<Results>,
): Decision {
	const { id, hasLoader, isForm, isCanceled } = request;
	const failWith = (error: unknown): Results => ({
		[isForm || shown.isCustomerKnown ? id : frame]: { type: "error", result: error },
	});
	// a page without a loader needs no data: the request only reloaded the customer
	const needsData = isForm || hasLoader || !shown.isCustomerKnown;
	const results =
		code.status === "rejected"
			? failWith(code.reason)
			: loaded.status === "fulfilled"
				? loaded.value
				: needsData
					? failWith(loaded.reason)
					: { [id]: { type: "data" as const, result: null } };
	if (isCanceled) return { results, shown };
	return isForm ? refuseFailure(shown, results) : keepPage(shown, request.page, results);
}

function refuseFailure(shown: Shown, results: Results): Decision {
	const decision = { results: { ...results }, shown };
	for (const [id, { type, result }] of Object.entries(results)) {
		if (result instanceof Response) {
			// a redirect: the customer has signed in or out
			decision.shown = { ...shown, isCustomerKnown: false };
			// React Router ignores a form's redirect if another request has begun since, but always revalidates after
			// an action that returned data. On an error page, keep the redirect, which navigates away from the error
			// page
			if (id === signOut && shown.page !== null) decision.results[id] = { type: "data", result: null };
		} else if (type === "error") {
			decision.results[id] = { type: "data", result: refusalOf(result) };
		}
	}
	return decision;
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

function keepPage({ page: before, isCustomerKnown }: Shown, page: string, results: Results): Decision {
	const isKept = page === before && isCustomerKnown;
	const decision: Decision = { results: {}, shown: { page, isCustomerKnown } };
	for (const [id, { type, result }] of Object.entries(results)) {
		const isLoaded = type === "data" && !(id === frame && isUnknown(result));
		if (id === frame && isLoaded) decision.shown.isCustomerKnown = true;
		if (result instanceof Response || isLoaded) decision.results[id] = { type, result };
		else if (id === frame && isCustomerKnown) continue;
		else if (type === "data") decision.results[id] = { type, result };
		else if (!isKept) {
			decision.results[id] = { type: "error", result: failureOf(result) };
			decision.shown.page = null;
		}
	}
	return decision;
}

/** Returns whether the frame's data lacks the customer, because D1 did not respond in time. */
function isUnknown(result: unknown): boolean {
	return typeof result === "object" && result !== null && "customer" in result && result.customer === undefined;
}
