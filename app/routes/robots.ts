import type { Route } from "./+types/robots";

/** GET /robots.txt: allows all crawlers, and names the sitemap, whose URL must be absolute. No page is disallowed, because
 *  a crawler must request a page to read its noindex header (see entry.server.tsx). */
export function loader({ url }: Route.LoaderArgs) {
	const headers = { "Content-Type": "text/plain; charset=utf-8" };
	return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${url.origin}/sitemap.xml\n`, { headers });
}
