import { beforeEach, expect, test } from "vitest";
import { cachedPage } from "./page-cache.server.ts";

/** Seconds. Every test starts long after the previous one, when its cached pages have expired. */
let now = 0;
beforeEach(() => {
	now += 1000;
});

let rendered = 0;
let nonces = 0;

/** Requests a page, by default as a guest. The page contains its render count and its nonce. */
async function requestPage(path = "/", init?: RequestInit, status = 200): Promise<{ page: string; nonce: string }> {
	const nonce = `nonce-${++nonces}`;
	const response = await cachedPage(new Request(`https://shop.test${path}`, init), { nonce, now }, async () => {
		return new Response(`page ${++rendered}: ${nonce} and ${nonce}`, { status, headers: { Link: "</app.css>" } });
	});
	expect([response.status, response.headers.get("Link")]).toEqual([status, "</app.css>"]);
	return { page: await response.text(), nonce };
}

const numberOf = ({ page }: { page: string }) => /^page \d+/.exec(page)?.[0];

test.each(["/", "/login", "/product/12321341"])("%s is cached for the next guest, with a new nonce", async (path) => {
	const [first, second] = [await requestPage(path), await requestPage(path)];
	expect(numberOf(second)).toBe(numberOf(first));
	for (const { page, nonce } of [first, second]) expect(page).toBe(`${numberOf(first)}: ${nonce} and ${nonce}`);
});

test("a page is cached for ten seconds", async () => {
	const first = await requestPage();
	now += 9;
	expect(numberOf(await requestPage())).toBe(numberOf(first));
	now += 1;
	expect(numberOf(await requestPage())).not.toBe(numberOf(first));
});

test.each<[string, string, RequestInit]>([
	["a request with any cookie", "/", { headers: { Cookie: "a=b" } }],
	["a form submission", "/login", { method: "POST" }],
	["a HEAD request", "/", { method: "HEAD" }],
	["a URL with a query", "/?a", {}],
	["the orders page", "/orders", {}],
	["the payment page", "/payment", {}],
	["a path in another case", "/PRODUCT/12321341", {}],
	["a .data request", "/_root.data", {}],
])("%s is neither cached nor served from the cache", async (_, path, init) => {
	await requestPage(path.toLowerCase().split("?")[0]);
	const [first, second] = [await requestPage(path, init), await requestPage(path, init)];
	expect(numberOf(second)).not.toBe(numberOf(first));
});

test.each([404, 500, 503])("a %s response is not cached", async (status) => {
	const first = await requestPage("/product/1", {}, status);
	expect(numberOf(await requestPage("/product/1"))).not.toBe(numberOf(first));
});
