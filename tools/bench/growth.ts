// Measures whether pages cost more with a larger database. Reports the requests per second of the home and orders pages
// at three sizes, and the number of rows that D1 reads, which must not change.

import { openCountedShop } from "../../tests/support/d1-queries.ts";
import { insertCustomers } from "../../tests/support/seed-data.ts";
import { openShop } from "../../tests/support/shop.ts";
import { progress } from "../scripts/progress.ts";
import { load } from "./load.ts";
import { customerWith, production } from "./production.ts";
import { short } from "./short.ts";
import { percentile, type Report } from "./table.ts";

const sizes = short ? [10, 1000] : [10, 1000, 100_000];
const paths = ["/", "/orders"];
/** Enough orders for more than one page. */
const orders = 25;

export async function growth(report: Report): Promise<string[]> {
	const build = await production();
	const [shop, counted] = [await openShop({ build, assets: false }), await openCountedShop(build)];
	const [headers, countedHeaders] = [await customerWith(shop, orders), await customerWith(counted, orders)];
	const begin = progress(sizes.length);
	const rowsRead = new Map<string, Set<string>>(paths.map((path) => [path, new Set()]));
	const request = (path: string, milliseconds: number) =>
		load({ url: `${shop.url.origin}${path}`, headers, connections: 32, milliseconds });
	// warms up, so that V8 compiles the code
	for (const path of paths) await request(path, 2000);
	for (const size of sizes) {
		begin(`${size.toLocaleString("en")} customers and orders`);
		await insertCustomers(shop, size);
		await insertCustomers(counted, size);
		for (const path of paths) {
			// fills the catalog cache, so that the next request does not read the catalog
			await (await counted.fetch("/product/0")).text();
			const queries = await counted.queriesOf(() => counted.fetch(path, { headers: countedHeaders }));
			const read = queries.map((query) => query.rowsRead).join(" and ");
			rowsRead.get(path)?.add(read);
			const { perSecond, times } = await request(path, 5000);
			report(
				`${path} with ${size.toLocaleString("en")} customers and orders`,
				`${perSecond.toFixed(0)} req/s, p99 ${percentile(times, 0.99).toFixed(0)} ms, rows read ${read}`,
			);
		}
	}
	await shop.close();
	await counted.close();
	const grown = [...rowsRead].filter(([, read]) => read.size > 1);
	return grown.map(([path]) => `${path} reads more rows from a larger database.`);
}
