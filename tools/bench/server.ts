// Measures the requests per second of the shop's pages, compared to a bare page with the same framework and number of
// queries. The two pages alternate, because the machine's load varies. The result is the median ratio.
import { type LoadResult, load } from "./load.ts";
import { customerWith, open, withBarePage, withProduction } from "./production.ts";
import { type Measured, median, percentile, type Row } from "./table.ts";

const rounds = 7;
const connections = 32;
const milliseconds = 1500;

const pages = [
	{ name: "home, guest", path: "/", signedIn: false, queries: 0 },
	{ name: "product, guest", path: "/product/12321341", signedIn: false, queries: 0 },
	{ name: "login, guest", path: "/login", signedIn: false, queries: 0 },
	{ name: "home, customer", path: "/", signedIn: true, queries: 1 },
	{ name: "orders, customer with three", path: "/orders", signedIn: true, queries: 2 },
];

/** Minimum ratio of a page's throughput to the throughput of the bare page. */
const goal = 0.6;

export function server(): Promise<Measured> {
	return withProduction((production) =>
		withBarePage(async (barePage) => {
			const shop = await open(production);
			const bare = await open(barePage);
			const customer = await customerWith(shop, 3);
			const request = (url: URL, headers: Record<string, string>) =>
				load({ url: String(url), headers, connections, milliseconds });
			const rows: Row[] = [];
			for (const { name, path, signedIn, queries } of pages) {
				const headers = signedIn ? customer : {};
				const measured: { bare: LoadResult; page: LoadResult }[] = [];
				// the first round is a warm-up, in which V8 compiles the code
				for (let round = 0; round <= rounds; round++) {
					const result = {
						bare: await request(new URL(`/${queries}`, bare.url), {}),
						page: await request(new URL(path, shop.url), headers),
					};
					if (round > 0) measured.push(result);
				}
				rows.push([name, describe(measured, queries)]);
			}
			await shop.close();
			await bare.close();
			return { rows, failures: [] };
		}),
	);
}

function describe(measured: { bare: LoadResult; page: LoadResult }[], queries: number): string {
	const ratio = median(measured.map(({ bare, page }) => page.perSecond / bare.perSecond));
	const perSecond = median(measured.map(({ page }) => page.perSecond));
	const p99 = percentile(
		measured.flatMap(({ page }) => page.times),
		0.99,
	);
	return [
		`${perSecond.toFixed(0)} req/s`,
		`${(ratio * 100).toFixed(0)} % of a bare page with ${queries} queries (goal ${goal * 100})`,
		`p99 ${p99.toFixed(0)} ms (goal 250)`,
	].join(", ");
}
