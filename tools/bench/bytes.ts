// Measures the scripts and styles that a page loads before any interaction, in bytes after brotli compression at level
// 11. Fails if the home page loads more than Hydrogen's.
import { listPageFiles, totalBytes } from "../../tests/support/page-bytes.ts";
import { openShop } from "../../tests/support/shop.ts";
import type { Report } from "./table.ts";

const pages = ["/", "/login", "/checkout", "/orders", "/product/12321341", "/payment"];

/** The bytes of the home page of Hydrogen, Shopify's own framework for shops on React Router. */
const hydrogen = 99_003;

export async function bytes(report: Report): Promise<string[]> {
	const shop = await openShop();
	const failures: string[] = [];
	for (const page of pages) {
		const files = await listPageFiles(page, (path) => shop.fetch(path));
		const total = totalBytes(files);
		const bar = page === "/" ? `, Hydrogen ${hydrogen.toLocaleString("en")} bytes` : "";
		report(page, `${total.toLocaleString("en")} bytes in ${files.length} files${bar}`);
		if (bar && total > hydrogen) failures.push(`${page} loads ${total} bytes, more than Hydrogen's ${hydrogen}.`);
	}
	await shop.close();
	return failures;
}
