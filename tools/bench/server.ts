// Measures the requests per second of the shop's pages, compared to a bare page with the same number of queries.
import { book } from "../../tests/support/catalogue.ts";
import { openShop } from "../../tests/support/shop.ts";
import { progress } from "../scripts/progress.ts";
import { limits } from "./limits.ts";
import { compare } from "./load.ts";
import { barePage, customerWith, production } from "./production.ts";
import type { Report } from "./table.ts";

/** A guest's page without a query string is cached. */
const pages = [
	{ name: "home, guest", path: "/", signedIn: false, queries: 0 },
	{ name: "product, guest", path: `/product/${book.id}`, signedIn: false, queries: 0 },
	{ name: "login, guest", path: "/login", signedIn: false, queries: 0 },
	{ name: "home, guest, rendered", path: "/?rendered", signedIn: false, queries: 0 },
	{ name: "product, guest, rendered", path: `/product/${book.id}?rendered`, signedIn: false, queries: 0 },
	{ name: "login, guest, rendered", path: "/login?rendered", signedIn: false, queries: 0 },
	{ name: "home, customer", path: "/", signedIn: true, queries: 1 },
	{ name: "product, customer", path: `/product/${book.id}`, signedIn: true, queries: 1 },
	{ name: "orders, customer with three", path: "/orders", signedIn: true, queries: 2 },
];

export async function server(report: Report): Promise<void> {
	// Cloudflare serves assets without the Worker
	const shop = await openShop({ build: await production(), assets: false });
	const bare = await openShop({ build: await barePage(), assets: false });
	const customer = await customerWith(shop, 3);
	const begin = progress(pages.length);
	for (const { name, path, signedIn, queries } of pages) {
		begin(name);
		const isCached = !signedIn && !path.includes("?");
		const [perSecond, percent] = await compare(
			{ url: new URL(path, shop.url), headers: signedIn ? customer : {} },
			{ url: new URL(`/${queries}`, bare.url), headers: {} },
		);
		report(name, `${perSecond} req/s, ${percent} % of the bare page with ${queries} queries`, [
			[isCached ? limits.cachedThroughput : limits.renderedThroughput, percent],
		]);
	}
	await Promise.all([shop, bare].map((opened) => opened.close()));
}
