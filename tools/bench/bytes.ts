// Measures the scripts and styles that a page loads before any interaction, in bytes after brotli compression at level
// 11, and how many of them are the shop's own: what a bare page of the same versions of React and React Router,
// built as by default, does not load.
import { book } from "../../tests/support/catalogue.ts";
import { listPageFiles, totalBytes } from "../../tests/support/page-bytes.ts";
import { openShop, type Shop } from "../../tests/support/shop.ts";
import { barePage } from "./production.ts";
import type { Report } from "./table.ts";

const pages = ["/", "/login", "/checkout", "/orders", `/product/${book.id}`, "/payment"];

/** Maximum bytes of its own that the home page may load. The home page of Hydrogen, Shopify's framework for shops on React
 *  Router, loads 22,300 more than a bare page of its versions. */
const goal = 9500;

export async function bytes(report: Report): Promise<string[]> {
	const barePageShop = await openShop({ build: await barePage() });
	const bare = await weigh(barePageShop, "/0");
	await barePageShop.close();
	report("a bare page", `${bare.toLocaleString("en")} bytes`);
	const failures: string[] = [];
	const shop = await openShop();
	for (const page of pages) {
		const total = await weigh(shop, page);
		const own = total - bare;
		report(page, `${total.toLocaleString("en")} bytes, of which ${own.toLocaleString("en")} are the shop's own`);
		if (page === "/" && own > goal) failures.push(`${page} loads ${own} bytes more than a bare page (goal ${goal}).`);
	}
	await shop.close();
	return failures;
}

/** Returns the bytes that a page of this server loads. */
async function weigh(shop: Shop, page: string): Promise<number> {
	return totalBytes(await listPageFiles(page, (path) => shop.fetch(path)));
}
