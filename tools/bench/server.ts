// Measures the requests per second of the shop's pages, compared to a bare page with the same number of queries. The
// pages alternate, because the machine's load varies. The results are median ratios.
import { book } from "../../tests/support/catalogue.ts";
import { openShop } from "../../tests/support/shop.ts";
import { progress } from "../scripts/progress.ts";
import { type LoadResult, load } from "./load.ts";
import { barePage, customerWith, production } from "./production.ts";
import { repetitions } from "./short.ts";
import { median, percentile, type Report } from "./table.ts";

const rounds = repetitions(7);
const connections = 32;
const milliseconds = 1000;

/** A page with a query string is never cached. */
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

/** Minimum ratio of a page's throughput to the throughput of the bare page. */
const goal = 0.8;

interface Round {
	bare: LoadResult;
	page: LoadResult;
}

export async function server(report: Report): Promise<string[]> {
	// Cloudflare serves assets without the Worker
	const shop = await openShop({ build: await production(), assets: false });
	const bare = await openShop({ build: await barePage(), assets: false });
	const customer = await customerWith(shop, 3);
	const request = (url: URL, headers: Record<string, string> = {}) =>
		load({ url: String(url), headers, connections, milliseconds });
	const begin = progress(pages.length);
	for (const { name, path, signedIn, queries } of pages) {
		begin(name);
		const measured: Round[] = [];
		// the first round is a warm-up, in which V8 compiles the code
		for (let round = 0; round <= rounds; round++) {
			const result = {
				bare: await request(new URL(`/${queries}`, bare.url)),
				page: await request(new URL(path, shop.url), signedIn ? customer : {}),
			};
			if (round > 0) measured.push(result);
		}
		report(name, describe(measured, queries));
	}
	await Promise.all([shop, bare].map((opened) => opened.close()));
	return [];
}

function describe(measured: Round[], queries: number): string {
	const perSecond = median(measured.map(({ page }) => page.perSecond)).toFixed(0);
	const percent = (100 * median(measured.map(({ page, bare }) => page.perSecond / bare.perSecond))).toFixed(0);
	const p99 = percentile(
		measured.flatMap(({ page }) => page.times),
		0.99,
	);
	return [
		`${perSecond} req/s`,
		`${percent} % of the bare page with ${queries} queries (goal ${goal * 100})`,
		`p99 ${p99.toFixed(0)} ms (goal 250)`,
	].join(", ");
}
