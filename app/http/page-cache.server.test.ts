import { beforeEach, expect, test } from "vitest";
import { pageRule, requestRules } from "#app/request-rules.server.ts";
import { fillIn, isCacheable, pageTemplate } from "./page-cache.server.ts";

/** Unix seconds. Each test starts after the pages of the previous test have expired. */
let now = 0;
beforeEach(() => {
	now += 1000;
});

let rendered = 0;
let nonces = 0;

/** Requests a page. Its text contains its values and the number of pages rendered so far. */
async function get(
	path = "/",
	{ status = 200, origin = "https://shop.test", email = "" } = {},
): Promise<{ page: string; nonce: string }> {
	const nonce = `${++nonces}`;
	const names = email ? ["nonce", "email"] : ["nonce"];
	const template = await pageTemplate(new URL(path, origin), names, now, async (placeholderOf) => {
		const hello = email && `, hello ${placeholderOf("email")}`;
		const text = `page ${++rendered}: ${placeholderOf("nonce")} and ${placeholderOf("nonce")}${hello}`;
		return new Response(text, { status, headers: { Link: "</app.css>" } });
	});
	const response = fillIn(template, { nonce, email });
	expect([response.status, response.headers.get("Link")]).toEqual([status, "</app.css>"]);
	return { page: await response.text(), nonce };
}

const numberOf = ({ page }: { page: string }) => /^page \d+/.exec(page)?.[0];

test.each(["/", "/login", "/product/12321341"])(
	"the page %s is cached, and every response has a new nonce",
	async (path) => {
		const [first, second] = [await get(path), await get(path)];
		expect(numberOf(second)).toBe(numberOf(first));
		for (const { page, nonce } of [first, second]) expect(page).toBe(`${numberOf(first)}: ${nonce} and ${nonce}`);
	},
);

test("a page is cached for ten seconds", async () => {
	const first = await get();
	now += 9;
	expect(numberOf(await get())).toBe(numberOf(first));
	now += 1;
	expect(numberOf(await get())).not.toBe(numberOf(first));
});

test("a page is not returned for another origin, because it contains absolute URLs", async () => {
	const first = await get("/");
	const other = await get("/", { origin: "https://other.test" });
	expect(numberOf(other)).not.toBe(numberOf(first));
	expect(numberOf(await get("/", { origin: "http://other.test" }))).not.toBe(numberOf(other));
});

test.each([404, 500, 503])("a response with status %s is not cached", async (status) => {
	const first = await get("/product/1", { status });
	expect(numberOf(await get("/product/1"))).not.toBe(numberOf(first));
	expect(first.page).toBe(`${numberOf(first)}: ${first.nonce} and ${first.nonce}`);
});

test("a cached page gets each visitor's own values, and a page with other values is rendered separately", async () => {
	const [guest, ada, grace] = [
		await get(),
		await get("/", { email: "ada@example.com" }),
		await get("/", { email: "grace@example.com" }),
	];
	expect(guest.page).not.toContain("hello");
	expect(numberOf(ada)).not.toBe(numberOf(guest));
	expect(numberOf(grace)).toBe(numberOf(ada));
	expect(ada.page).toMatch(/hello ada@example\.com$/);
	expect(grace.page).toMatch(/hello grace@example\.com$/);
});

test.each<[string, string, RequestInit, boolean]>([
	["a page", "/", {}, true],
	["a request with a cookie", "/", { headers: { Cookie: "a=b" } }, true],
	["a form submission", "/login", { method: "POST" }, false],
	["a HEAD request", "/", { method: "HEAD" }, false],
	["a URL with a query", "/", {}, false],
	["a personal page", "/orders", {}, false],
])("isCacheable for %s (%s, %j) returns %s", (label, pattern, init, expected) => {
	const route = { pattern, pathname: pattern, canonical: pattern, isCanonical: !label.includes("query") };
	const request = new Request(`https://shop.test${pattern}`, init);
	expect(isCacheable(request, requestRules.get(pattern) ?? pageRule, route)).toBe(expected);
});
