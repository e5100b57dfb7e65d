// Measures the scripts and styles that a page loads before any interaction, in bytes after brotli compression at level
// 11. tests/worker/page-files.test.ts sets the budgets.
import { listPageFiles, totalBytes } from "../../tests/support/page-bytes.ts";
import { openShop } from "../../tests/support/shop.ts";
import type { Measured, Row } from "./table.ts";

const pages = ["/", "/login", "/checkout", "/orders", "/product/12321341", "/payment"];

export async function bytes(): Promise<Measured> {
	const shop = await openShop();
	const rows: Row[] = [];
	for (const page of pages) {
		const files = await listPageFiles(page, (path) => shop.fetch(path));
		rows.push([page, `${totalBytes(files).toLocaleString("en")} bytes in ${files.length} files`]);
	}
	await shop.close();
	return { rows, failures: [] };
}
