import { expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { listPageFiles, totalBytes } from "../support/page-bytes.ts";
import { openShop } from "../support/shop.ts";
import { closeAfterAll } from "./hooks.ts";

const shop = closeAfterAll(await openShop());

// the home page: Hydrogen's; the others: 2 % above their sizes of 24 November 2026
test.each([
	["/", 99_003],
	["/login", 98_620],
	["/checkout", 99_720],
	["/orders", 100_910],
	[`/product/${book.id}`, 102_360],
	["/nowhere", 99_930],
	["/payment", 107_330],
])("%s loads at most %i bytes of scripts and styles", async (page, budget) => {
	const files = await listPageFiles(page, shop.fetch);
	const kinds = new Set(files.map(({ path }) => path.split(".").at(-1)));
	expect(kinds).toEqual(new Set(["js", "css"]));
	expect(totalBytes(files), JSON.stringify(files, null, "\t")).toBeLessThanOrEqual(budget);
});

test("all pages share one framework file and one shell file", async () => {
	const pages = await Promise.all(["/", "/orders", "/payment"].map((page) => listPageFiles(page, shop.fetch)));
	for (const name of ["entry.client", "shell"]) {
		const paths = pages.flatMap((files) => files.filter(({ path }) => path.startsWith(`/assets/${name}-`)));
		expect(paths).toHaveLength(3);
		expect(new Set(paths.map(({ path }) => path)).size).toBe(1);
	}
});
