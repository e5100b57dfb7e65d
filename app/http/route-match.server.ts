import { createContext, generatePath, matchRoutes } from "react-router";

/** Characters of a path that are matched. React Router's time grows with the square of the length. */
const maxPath = 200;

export interface RouteMatch {
	/** The path in routes.ts, such as "/product/:id"; "*" when no other matches. */
	pattern: string;
	/** The path for React Router. */
	pathname: string;
	/** Whether the URL is the one spelling of this page: no query, no other case, no escapes. */
	isCanonical: boolean;
}

/** The pattern of the request's route. */
export const routeContext = createContext<string>();

/** Matches a URL as React Router does, and in constant time. A path that matches no route becomes /not-found: React Router's
 *  splat route is slow for long paths, does not match a line break, and React Router has paths of its own (/__manifest). */
export function matchRoute(routes: { path: string }[], { pathname, search }: URL): RouteMatch {
	const suffix = /(?:\/_)?\.data$/.exec(pathname)?.[0] ?? "";
	const path = pathname.slice(0, pathname.length - suffix.length).slice(0, maxPath) || "/";
	const match = matchRoutes(routes, path)?.at(-1);
	if (!match) return { pattern: "*", pathname: suffix ? "/not-found.data" : "/not-found", isCanonical: false };
	const pattern = match.route.path;
	return {
		pattern,
		pathname: pathname.length > maxPath ? path + suffix : pathname,
		isCanonical: !search && generatePath(pattern, match.params) === pathname,
	};
}
