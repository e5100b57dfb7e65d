import type { Route } from "./+types/robots";

/** GET /robots.txt: allows all crawlers, and names the sitemap, whose URL must be absolute. */
export function loader({ url }: Route.LoaderArgs) {
	const headers = { "Content-Type": "text/plain; charset=utf-8" };
	return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${url.origin}/sitemap.xml\n`, { headers });
}
