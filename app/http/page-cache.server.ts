import type { RequestRule } from "./guard.server.ts";
import type { RouteMatch } from "./route-match.server.ts";

/** TTL of a page, in seconds. The catalog's TTL is 50 seconds, so no price on a page is more than a minute old. */
const maxAge = 10;

/** A page without its visitor's values. */
export interface PageTemplate {
	/** Text, alternating with the name of the value that follows it. */
	parts: string[];
	status: number;
	headers: Headers;
}

const cache = new Map<string, PageTemplate & { origin: string; expiresAt: number }>();

/** Returns whether the page is the same for all visitors, except for the values that `pageTemplate` leaves out. */
export function isCacheable({ method }: Request, rule: RequestRule, route: RouteMatch): boolean {
	return rule.isCached === true && route.isCanonical && method === "GET";
}

/** Returns a page from the isolate's cache while it is fresh, because rendering is most of a page's cost. `names` are
 *  the values that the page contains. `render` renders the page with a random placeholder for each value, so that the
 *  cache never contains a visitor's own values. `url` must be canonical, so that the cache never holds more pages than
 *  the shop has. A page contains URLs with its origin, so a request with another origin replaces it. `now` is in Unix
 *  seconds. */
export async function pageTemplate(
	{ origin, pathname }: URL,
	names: string[],
	now: number,
	render: (placeholderOf: (name: string) => string) => Promise<Response>,
): Promise<PageTemplate> {
	const key = [pathname, ...names].join();
	const cached = cache.get(key);
	if (cached?.origin === origin && now < cached.expiresAt) return cached;
	const id = crypto.randomUUID();
	const response = await render((name) => `${name}-${id}`);
	const { status, headers } = response;
	const parts = (await response.text()).split(new RegExp(`(${names.join("|")})-${id}`));
	const template = { parts, status, headers };
	if (status === 200) cache.set(key, { ...template, origin, expiresAt: now + maxAge });
	return template;
}

/** Returns the page with a visitor's values. They must need no escaping, neither in HTML nor in JSON. */
export function fillIn({ parts, status, headers }: PageTemplate, values: Record<string, string>): Response {
	const html = parts.map((part, index) => (index % 2 === 0 ? part : values[part])).join("");
	return new Response(html, { status, headers });
}
