import { beforeEach, expect, test } from "vitest";
import { cachedPage } from "./page-cache.server.ts";

/** Unix seconds. Each test starts after the pages of the previous test have expired. */
let now = 0;
beforeEach(() => {
	now += 1000;
});

let rendered = 0;
let nonces = 0;

/** Requests a page. Its text contains the number of pages rendered so far, and its nonce twice. */
async function get(path = "/", { status = 200, origin = "https://shop.test" } = {}) {
	const nonce = `nonce${++nonces}`;
	const response = await cachedPage(new URL(path, origin), nonce, now, async () => {
		const text = `page ${++rendered}: ${nonce} and ${nonce}`;
		return new Response(text, { status, headers: { Link: "</app.css>" } });
	});
	expect([response.status, response.headers.get("Link")]).toEqual([status, "</app.css>"]);
	const [, page, ...rest] = /^(page \d+): (.*)$/.exec(await response.text()) ?? [];
	expect(rest).toEqual([`${nonce} and ${nonce}`]);
	return page;
}

test("a page is cached for ten seconds, and every response has its own nonce", async () => {
	const first = await get();
	now += 9;
	expect(await get()).toBe(first);
	expect(await get("/login")).not.toBe(first);
	now += 1;
	expect(await get()).not.toBe(first);
});

test("a page is not returned for another origin, because it contains absolute URLs", async () => {
	const first = await get("/");
	expect(await get("/", { origin: "https://other.test" })).not.toBe(first);
});

test("a response with an error status is not cached", async () => {
	const first = await get("/product/1", { status: 404 });
	expect(await get("/product/1", { status: 404 })).not.toBe(first);
});
