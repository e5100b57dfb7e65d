import { readCatalogue } from "#app/catalogue/catalogue.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import type { Route } from "./+types/sitemap";

/** GET /sitemap.xml: lists the pages that search engines may list, the home page and the products. */
export async function loader({ url, context }: Route.LoaderArgs) {
	const catalogue = await readCatalogue(context.get(requestContext));
	const paths = ["/", ...catalogue.map(({ id }) => `/product/${encodeURIComponent(id)}`)];
	const entries = paths.map((path) => `<url><loc>${url.origin}${path}</loc></url>\n`);
	const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("")}</urlset>
`;
	return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
