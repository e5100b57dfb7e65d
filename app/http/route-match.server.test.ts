import { expect, test } from "vitest";
import routes from "../routes.ts";
import { matchRoute } from "./route-match.server.ts";

const paths = routes.flatMap(({ children = [] }) => children).map(({ path, index }) => (index ? "/" : `/${path}`));
const patterns = paths.filter((path) => path !== "/*");
const match = (path: string) => matchRoute(patterns, new URL(`https://shop.test${path}`));

test("returns the pattern of every route, also for its data and with trailing slashes", () => {
	for (const path of paths) {
		const pattern = path === "/*" ? "*" : path;
		const url = path.replace("*", "nowhere").replace(":id", "1");
		const others = path === "/" ? ["/_.data"] : [`${url}.data`, `${url}//`, `${url}/_.data`];
		for (const spelling of [url, `${url}?before=1`, ...others])
			expect(match(spelling), spelling).toMatchObject({ pattern });
	}
});

test.each([
	...["/product/1/2", "/product/", "/%", "/x/login", "/login.html", "/login.data.data", "/login.DATA", "//orders"],
	...["/login%2Edata.data", "/payments%2Fplace", `/product/${"a".repeat(192)}`, "/".repeat(15_000)],
	// as text, these two have fewer than 200 characters
	...[`/product/${"%E2%82%AC".repeat(24)}`, `/product/${"%20".repeat(70)}`],
])("returns no route for %s", (path) => {
	expect(match(path)).toMatchObject({ pattern: "*" });
});

test.each([
	["/LOGIN", "/login"],
	["/%6Cogin", "/login"],
	["/orders/", "/orders"],
	["/PRODUCT/%31/_.data", "/product/1"],
	["/product/%C3%A9%2B", "/product/%C3%A9%2B"],
	["/_.data", "/"],
])("returns for %s the page's path %s", (path, page) => {
	expect(match(path)).toMatchObject({ path: page, pattern: page.replace(/(?<=product\/).*/, ":id") });
});
