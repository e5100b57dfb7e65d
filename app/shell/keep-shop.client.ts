import type { MiddlewareFunction } from "react-router";
import { requestTimeout, withTimeout } from "#app/http/timeout.ts";
import { frame, keepShop, type Results, type Settled, type Shown } from "./keep-shop.ts";
import { findRoute, loadPage } from "./page-code.tsx";

let shown: Shown = { page: location.pathname + location.search, isCustomerKnown: true };

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
export const keepShopMiddleware: MiddlewareFunction<Results> = async ({ request, pattern }, send) => {
	const { id = frame, hasLoader } = findRoute(pattern) ?? {};
	const [code, loaded] = await Promise.all([settle(loadPage(id)), settle(send())]);
	const { pathname, search } = new URL(request.url);
	const isForm = request.method !== "GET";
	const isCanceled = request.signal.aborted;
	const sent = { page: pathname + search, id, hasLoader, isForm, isCanceled };
	const [results, next] = keepShop(shown, sent, code, loaded);
	shown = next;
	return results;
};

const settle = <Value>(work: Promise<Value>): Promise<Settled<Value>> =>
	withTimeout(requestTimeout, work).then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);
