import type { RequestRule } from "./guard.server.ts";
import type { RouteMatch } from "./route-match.server.ts";

/** TTL of a page, in seconds. The catalog's TTL is 50 seconds, so no price on a page is more than a minute old. */
const maxAge = 10;

const cache = new Map<string, { origin: string; html: string[]; headers: Headers; expiresAt: number }>();

/** Returns whether the response is the same for all visitors. A request with cookies can get a personal response. */
export function isCacheable({ method, headers }: Request, rule: RequestRule, route: RouteMatch): boolean {
	return rule.isCached === true && route.isCanonical && method === "GET" && !headers.has("Cookie");
}

/** Returns a page from the isolate's cache while it is fresh, because rendering is most of a page's cost. `url` must
 *  be canonical, so that the cache never holds more pages than the shop has. A page contains URLs with its origin, so a
 *  request with another origin renders and replaces it. `render` renders the page with `nonce`. A cached page is
 *  returned with the new `nonce`. `now` is in Unix seconds. */
export async function cachedPage(
	{ origin, pathname }: URL,
	{ nonce, now }: { nonce: string; now: number },
	render: () => Promise<Response>,
): Promise<Response> {
	const page = cache.get(pathname);
	if (page?.origin === origin && now < page.expiresAt)
		return new Response(page.html.join(nonce), { headers: page.headers });
	const response = await render();
	if (response.status !== 200) return response;
	const { headers } = response;
	const html = await response.text();
	cache.set(pathname, { origin, html: html.split(nonce), headers, expiresAt: now + maxAge });
	return new Response(html, { headers });
}
