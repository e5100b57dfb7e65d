import { createContext, generatePath, matchRoutes } from "react-router";

/** Maximum number of characters of a path to match. React Router's matching takes time quadratic in the length. */
const maxPath = 200;

export interface RouteMatch {
	/** The path in routes.ts, such as "/product/:id", or "*" if no other route matches. */
	pattern: string;
	/** The path that is passed to React Router. */
	pathname: string;
	/** The path of the page's canonical URL: no other case, no escapes. */
	canonical: string;
	/** Whether the URL is the page's canonical one, without a query. */
	isCanonical: boolean;
}

/** The request's route. */
export const routeContext = createContext<RouteMatch>();

/** Matches a URL as React Router does, but in bounded time. A path that matches no route becomes /not-found, because
 *  React Router's splat route is slow for long paths and does not match a line break, and because React Router handles
 *  some paths itself (/__manifest). */
export function matchRoute(routes: { path: string }[], { pathname, search }: URL): RouteMatch {
	const suffix = /(?:\/_)?\.data$/.exec(pathname)?.[0] ?? "";
	const path = pathname.slice(0, pathname.length - suffix.length).slice(0, maxPath) || "/";
	// most paths have no parameters, and React Router flattens and ranks all routes for each match
	const exact = path.includes(":") ? undefined : routes.find((route) => route.path === path);
	const match = exact ? { route: exact, params: {} } : matchRoutes(routes, path)?.at(-1);
	if (!match) {
		const canonical = "/not-found";
		return { pattern: "*", pathname: canonical + (suffix && ".data"), canonical, isCanonical: false };
	}
	const pattern = match.route.path;
	const canonical = generatePath(pattern, match.params);
	return {
		pattern,
		pathname: pathname.length > maxPath ? path + suffix : pathname,
		canonical,
		isCanonical: !search && canonical === pathname,
	};
}
