import { generatePath, matchPath } from "react-router";

export interface RouteMatch {
	/** The path in routes.ts, such as "/product/:id", or "*" if no other route matches. */
	pattern: string;
	/** The path of the page's canonical URL: no `.data`, no trailing slash, no needless escapes. */
	path: string;
}

/** Maximum length of a path that matches a route: React Router's matching takes time quadratic in the length. */
const maxLength = 200;

/** Matches a URL to a path in routes.ts, as React Router does: it ignores case, trailing slashes and escapes. */
export function matchRoute(patterns: string[], { pathname }: URL): RouteMatch {
	const path = decode(pathname.replace(/(\/_)?\.data$/, "")) || "/";
	// most paths are exact, and matchPath compiles a regular expression
	if (patterns.includes(path)) return { pattern: path, path };
	for (const pattern of pathname.length > maxLength ? [] : patterns) {
		const match = matchPath(pattern, path);
		if (match) return { pattern, path: generatePath(pattern, match.params) };
	}
	return { pattern: "*", path };
}

/** Decodes a path as React Router does: an escaped slash separates nothing. */
function decode(path: string): string {
	try {
		return path
			.split("/")
			.map((segment) => decodeURIComponent(segment).replaceAll("/", "%2F"))
			.join("/");
	} catch {
		return path;
	}
}
