import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { listPageFiles, totalBytes } from "../support/page-bytes.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

// just above the current sizes; lower a budget when its page shrinks
test.each([
	["/", 98_960],
	["/login", 97_650],
	["/checkout", 98_980],
	["/orders", 100_200],
	[`/product/${book.id}`, 100_530],
	["/nowhere", 98_750],
	["/payment", 105_590],
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
