// Measures the scripts and styles that a page loads before any interaction, in bytes after brotli compression at level
// 11, and how many of them are the shop's own: what a bare page of the same versions of React and React Router,
// built as by default, does not load.
import { listPageFiles, totalBytes } from "../../tests/support/page-bytes.ts";
import { openShop } from "../../tests/support/shop.ts";
import { open, withBarePage } from "./production.ts";
import type { Report } from "./table.ts";

const pages = ["/", "/login", "/checkout", "/orders", "/product/12321341", "/payment"];

/** Maximum bytes of its own that the home page may load. The home page of Hydrogen, Shopify's framework for shops on React
 *  Router, loads 22,300 more than a bare page of its versions. */
const goal = 9500;

export async function bytes(report: Report): Promise<string[]> {
	const bare = await withBarePage(async (page) => weigh(await open(page, true), "/0"));
	report("a bare page", `${bare.toLocaleString("en")} bytes`);
	const failures: string[] = [];
	for (const page of pages) {
		const total = await weigh(await openShop(), page);
		const own = total - bare;
		report(page, `${total.toLocaleString("en")} bytes, of which ${own.toLocaleString("en")} are the shop's own`);
		if (page === "/" && own > goal) failures.push(`${page} loads ${own} bytes more than a bare page (goal ${goal}).`);
	}
	return failures;
}

/** Returns the bytes that a page of this server loads. Closes the server. */
async function weigh(shop: Awaited<ReturnType<typeof openShop>>, page: string): Promise<number> {
	const total = totalBytes(await listPageFiles(page, (path) => shop.fetch(path)));
	await shop.close();
	return total;
}
