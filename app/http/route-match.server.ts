export interface RouteMatch {
	/** The path in routes.ts, such as "/product/:id", or "*" if no other route matches. */
	pattern: string;
	/** The path of the page's canonical URL: no `.data`, no trailing slash, no needless escapes. */
	path: string;
	/** The path of a route that the URL spells in another way, or null. */
	canonical: string | null;
}

/** Matches a URL to a path in routes.ts: exactly, apart from `.data`, a trailing slash and escapes in a dynamic
 *  segment. The router in the browser is not exact, so a document at another spelling must be redirected to
 *  `canonical`. */
export function matchRoute(patterns: string[], { pathname }: URL): RouteMatch {
	const path = pathname.replace(/(\/_)?\.data$/, "").replace(/\/$/, "") || "/";
	const pattern = findPattern(patterns, path);
	const decoded = decode(path);
	if (pattern) return { pattern, path: encodeURI(decoded), canonical: null };
	// as the URL will spell it, because a redirect must lead to a route
	const plain = encodeURI(`/${decoded.toLowerCase().split("/").filter(Boolean).join("/")}`);
	return { pattern: "*", path, canonical: findPattern(patterns, plain) ? plain : null };
}

/** Returns the pattern of a path. A dynamic segment has up to 200 characters, because React Router's matching takes
 *  time quadratic in the length. */
function findPattern(patterns: string[], path: string): string | undefined {
	return patterns.find((pattern) => {
		if (!pattern.includes(":")) return pattern === path;
		return new RegExp(`^${pattern.replace(/:\w+/g, "[^/]{1,200}")}$`).test(path);
	});
}

function decode(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
