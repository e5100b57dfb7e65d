// Measures whether pages cost more with a larger database: the rows that D1 reads, and the requests per second compared
// to a shop with a small database.
import { openCountedShop } from "../../tests/support/d1-queries.ts";
import { insertCustomers } from "../../tests/support/seed-data.ts";
import { progress } from "../scripts/progress.ts";
import { limits, short } from "./limits.ts";
import { compare } from "./load.ts";
import { customerWith, production } from "./production.ts";
import type { Report } from "./table.ts";

const pages = [
	{ path: "/", limit: limits.homeRows },
	{ path: "/orders", limit: limits.ordersRows },
];
const size = short ? 1000 : 100_000;

export async function growth(report: Report): Promise<void> {
	const [small, large] = [await openWith(10), await openWith(size)];
	const begin = progress(pages.length);
	for (const { path, limit } of pages) {
		begin(path);
		// fills the catalog cache, so that the next request does not read the catalog
		await (await large.shop.fetch("/product/0")).text();
		const queries = await large.shop.queriesOf(() => large.shop.fetch(path, { headers: large.headers }));
		const rows = queries.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
		const at = ({ shop, headers }: typeof small) => ({ url: new URL(path, shop.url), headers });
		const [perSecond, percent] = await compare(at(large), at(small));
		report(
			`${path} with ${size.toLocaleString("en")} customers and orders`,
			`${perSecond} req/s, ${percent} % of the same with ten, rows read ${rows}`,
			[
				[limit, rows],
				[limits.grownThroughput, percent],
			],
		);
	}
	await Promise.all([small, large].map(({ shop }) => shop.close()));
}

/** Opens a shop with this many customers and orders, and one customer with enough orders for more than one page. */
async function openWith(customers: number) {
	const shop = await openCountedShop(await production());
	const headers = await customerWith(shop, 25);
	await insertCustomers(shop, customers);
	return { shop, headers };
}
