import { expect, test } from "vitest";
import { needsData } from "./needs-data.ts";

test.each([
	["/product/1", "/product/1#picture-1", false],
	["/product/1#picture-1", "/product/1", false],
	["/product/1#picture-1", "/product/2", true],
	["/product/1#picture-1", "/product/1#picture-1", true],
	["/orders", "/orders?before=1", true],
])("a page's data is loaded from %s to %s: %s", (from, to, isLoaded) => {
	const urls = { currentUrl: new URL(from, "https://shop.test"), nextUrl: new URL(to, "https://shop.test") };
	const args = { ...urls, currentParams: {}, nextParams: {} };
	expect(needsData({ ...args, defaultShouldRevalidate: true })).toBe(isLoaded);
	expect(needsData({ ...args, defaultShouldRevalidate: false })).toBe(false);
});
