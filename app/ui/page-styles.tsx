/** Returns the link to a stylesheet that only some pages need. Call it while the page's module is evaluated: the
 *  browser imports other pages' modules after the load event, and then also fetches their stylesheets into the HTTP
 *  cache, so that a client navigation need not wait for them. A prefetch link in the document would delay the first
 *  picture. */
export function pageStyles(href: string) {
	// best effort: React loads the stylesheet again when it renders the link
	if (!import.meta.env.SSR) fetch(href, { priority: "low" }).catch(() => {});
	return <link rel="stylesheet" href={href} precedence="page" />;
}
