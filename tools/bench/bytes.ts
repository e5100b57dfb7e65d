// What a browser loads of scripts and styles before anybody has touched a page, each file after brotli at its best, beside
// the budget that tests/worker/bytes.test.ts holds.
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
