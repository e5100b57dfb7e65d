// Measures the scripts and styles that a page loads before any interaction, in bytes after brotli compression at level
// 11, and how many of them are the shop's own: what a bare page of the same versions of React and React Router,
// built as by default, does not load.
import { book } from "../../tests/support/catalogue.ts";
import { listPageFiles } from "../../tests/support/page-bytes.ts";
import { openShop, type Shop } from "../../tests/support/shop.ts";
import { limits } from "./limits.ts";
import { barePage } from "./production.ts";
import type { Report } from "./table.ts";

export async function bytes(report: Report): Promise<void> {
	const barePageShop = await openShop({ build: await barePage() });
	const bare = await weigh(barePageShop, "/0");
	await barePageShop.close();
	report("a bare page", `${bare.toLocaleString("en")} bytes`);
	const shop = await openShop();
	for (const page of ["/", "/login", "/checkout", "/orders", `/product/${book.id}`, "/payment"]) {
		const total = await weigh(shop, page);
		const own = total - bare;
		const text = `${total.toLocaleString("en")} bytes, of which ${own.toLocaleString("en")} are the shop's own`;
		// every page loads the shell, and page-bytes.json limits the rest
		report(page, text, page === "/" ? [[limits.homeBytes, own]] : []);
	}
	await shop.close();
}

/** Returns the bytes that a page of this server loads. */
async function weigh(shop: Shop, page: string): Promise<number> {
	const files = await listPageFiles(page, shop.fetch);
	return files.reduce((total, { bytes }) => total + bytes, 0);
}
