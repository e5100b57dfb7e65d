/** Seconds for which a guest is shown the page that the one before was shown. With what the catalogue is remembered for
 *  a minute: no price on a page is older. */
const freshness = 10;

/** The pages that are the same for every guest. What makes one an address of its own (a query, another spelling) is
 *  left out, so that there are never more of them than the shop has pages. */
const path = /^\/(login|product\/\d+)?$/;

const remembered = new Map<string, { html: string[]; headers: Headers; until: number }>();

/** A page for somebody of whom nothing is known, from the isolate's memory while that is fresh: rendering is most of what
 *  a page costs, and most who ask are guests. Any cookie makes it somebody's own page. `render` makes what is not
 *  remembered, with the nonce in it; each answer has a nonce of its own. */
export async function cachedPage(
	request: Request,
	{ nonce, now }: { nonce: string; now: number },
	render: () => Promise<Response>,
): Promise<Response> {
	if (request.method !== "GET" || request.headers.has("Cookie")) return render();
	const { pathname, search } = new URL(request.url);
	if (search || !path.test(pathname)) return render();
	const page = remembered.get(pathname);
	if (page && now < page.until) return new Response(page.html.join(nonce), { headers: page.headers });
	const rendered = await render();
	if (rendered.status !== 200) return rendered;
	const { headers } = rendered;
	const html = await rendered.text();
	remembered.set(pathname, { html: html.split(nonce), headers, until: now + freshness });
	return new Response(html, { headers });
}
