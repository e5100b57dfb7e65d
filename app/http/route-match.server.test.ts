import { expect, test } from "vitest";
import routes from "../routes.ts";
import { matchRoute } from "./route-match.server.ts";

const paths = routes.flatMap(({ children = [] }) => children).map(({ path, index }) => (index ? "/" : `/${path}`));
const patterns = paths.filter((path) => path !== "/*");
const match = (path: string) => matchRoute(patterns, new URL(`https://shop.test${path}`));

test("returns the pattern of every route, also for its data and with a trailing slash", () => {
	for (const path of paths) {
		const pattern = path === "/*" ? "*" : path;
		const url = path.replace("*", "nowhere").replace(":id", "1");
		const others = path === "/" ? ["/_.data"] : [`${url}.data`, `${url}/`, `${url}/_.data`];
		for (const spelling of [url, `${url}?before=1`, ...others])
			expect(match(spelling), spelling).toMatchObject({ pattern });
	}
});

const unknown = [
	...["/product/1/2", "/product/", "/%", "/x/login", "/login.html", "/login.data.data", "/login.DATA"],
	...["/login%2Edata", `/product/${"a".repeat(201)}`],
	// as text, these two have fewer than 200 characters
	...[`/product/${"%E2%82%AC".repeat(24)}`, `/product/${"%20".repeat(70)}`],
];
test.each(unknown.map((path) => [path.slice(0, 30), path]))("returns no route for %s", (_, path) => {
	expect(match(path)).toMatchObject({ pattern: "*", canonical: null });
});

const misspelled: [string, string][] = [
	["/LOGIN", "/login"],
	["/%6Cogin", "/login"],
	["/payments%2Fplace", "/payments/place"],
	["//orders//", "/orders"],
	["/PRODUCT/%31", "/product/1"],
	["/".repeat(15_000), "/"],
];
test.each(misspelled.map(([path, canonical]) => [path.slice(0, 30), canonical, path]))(
	"returns no route for %s, but the canonical path %s",
	(_, canonical, path) => {
		expect(match(path)).toMatchObject({ pattern: "*", canonical });
	},
);

test.each([
	["/orders/", "/orders"],
	["/product/%31/_.data", "/product/1"],
	["/product/%C3%A9%2B", "/product/%C3%A9+"],
	["/_.data", "/"],
])("returns for %s the page's path %s", (path, page) => {
	expect(match(path).path).toBe(page);
});
