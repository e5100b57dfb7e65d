import type { MiddlewareFunction } from "react-router";
import { requestTimeout, withTimeout } from "#app/http/timeout.ts";
import { frame, keepShop, type Results, type Shown } from "./keep-shop.ts";
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

/** Runs around each request of the router (see keep-shop.ts), whose timeout it limits. */
export const keepShopMiddleware: MiddlewareFunction<Results> = async ({ request, pattern }, next) => {
	const { id = frame, hasLoader = false } = findRoute(pattern) ?? {};
	const [code, loaded] = await Promise.allSettled([
		withTimeout(requestTimeout, loadPage(id)),
		withTimeout(requestTimeout, next()),
	]);
	const { pathname, search } = new URL(request.url);
	const page = pathname + search;
	const kind = { isForm: request.method !== "GET", isCanceled: request.signal.aborted };
	const decision = keepShop(shown, { page, id, hasLoader, ...kind }, code, loaded);
	shown = decision.shown;
	return decision.results;
};
