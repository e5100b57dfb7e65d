/** TTL of a page, in seconds. With the catalog's (see `readCatalogue`), a page's prices are at most a minute old, or
 *  older while D1 fails or stalls. */
const maxAge = 10;

/** The pages by path. `parts` is the HTML, split where a response's nonce belongs. */
const cache = new Map<string, { origin: string; parts: string[]; headers: Headers; expiresAt: number }>();

/** Returns a guest's page with this response's `nonce` from the isolate's cache while it is fresh; otherwise, renders it.
 *  `url` must be the only URL of its page, so that the cache never holds more pages than the shop has. A page contains
 *  URLs with its origin, so a request with another origin replaces it. */
export async function cachedPage(
	{ origin, pathname }: URL,
	nonce: string,
	now: number,
	render: () => Promise<Response>,
): Promise<Response> {
	const cached = cache.get(pathname);
	if (cached?.origin === origin && now < cached.expiresAt) {
		return new Response(cached.parts.join(nonce), { headers: cached.headers });
	}
	const response = await render();
	if (response.status !== 200) return response;
	const html = await response.text();
	const { headers } = response;
	cache.set(pathname, { origin, parts: html.split(nonce), headers, expiresAt: now + maxAge });
	return new Response(html, { headers });
}
