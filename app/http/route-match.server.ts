import { createContext } from "react-router";

export interface RouteMatch {
	/** The path in routes.ts, such as "/product/:id", or "*" if no other route matches. */
	pattern: string;
	/** The path of the page: no `.data`, no trailing slash. */
	path: string;
}

/** The request's route. */
export const routeContext = createContext<RouteMatch>();

/** Matches a URL to one of the paths in routes.ts, exactly: in the same case and without escapes. A dynamic segment has
 *  up to 100 letters, digits and hyphens. */
export function matchRoute(patterns: string[], { pathname }: URL): RouteMatch {
	const path = pathname.replace(/(\/_)?\.data$/, "").replace(/\/$/, "") || "/";
	const pattern = patterns.find((pattern) => {
		if (!pattern.includes(":")) return pattern === path;
		return new RegExp(`^${pattern.replace(/:\w+/g, "[\\w-]{1,100}")}$`).test(path);
	});
	return { pattern: pattern ?? "*", path };
}
