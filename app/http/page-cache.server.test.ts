import { beforeEach, expect, test } from "vitest";
import { cachedPage } from "./page-cache.server.ts";

/** Seconds; every test begins long after the one before, when nothing of it is remembered. */
let now = 0;
beforeEach(() => {
	now += 1000;
});

let rendered = 0;
let nonces = 0;

/** Asks for a page, as a guest unless `init` says otherwise. The page says how many there have been, and its nonce. */
async function ask(path = "/", init?: RequestInit, status = 200): Promise<{ page: string; nonce: string }> {
	const nonce = `nonce-${++nonces}`;
	const answer = await cachedPage(new Request(`https://shop.test${path}`, init), { nonce, now }, async () => {
		return new Response(`page ${++rendered}: ${nonce} and ${nonce}`, { status, headers: { Link: "</app.css>" } });
	});
	expect([answer.status, answer.headers.get("Link")]).toEqual([status, "</app.css>"]);
	return { page: await answer.text(), nonce };
}

const numberOf = ({ page }: { page: string }) => /^page \d+/.exec(page)?.[0];

test.each(["/", "/login", "/product/12321341"])(
	"%s is the same for the next guest, but for its nonce",
	async (path) => {
		const [first, second] = [await ask(path), await ask(path)];
		expect(numberOf(second)).toBe(numberOf(first));
		for (const { page, nonce } of [first, second]) expect(page).toBe(`${numberOf(first)}: ${nonce} and ${nonce}`);
	},
);

test("a page is remembered for ten seconds", async () => {
	const first = await ask();
	now += 9;
	expect(numberOf(await ask())).toBe(numberOf(first));
	now += 1;
	expect(numberOf(await ask())).not.toBe(numberOf(first));
});

test.each<[string, string, RequestInit]>([
	["who has a cookie, whichever", "/", { headers: { Cookie: "a=b" } }],
	["who sends a form", "/login", { method: "POST" }],
	["who asks for no more than the headers", "/", { method: "HEAD" }],
	["who asks for a query", "/?a", {}],
	["who asks for orders", "/orders", {}],
	["who pays", "/payment", {}],
	["who spells an address in another way", "/PRODUCT/12321341", {}],
	["who asks for data", "/_root.data", {}],
])("a page for somebody %s is neither remembered nor taken from memory", async (_, path, init) => {
	await ask(path.toLowerCase().split("?")[0]);
	const [first, second] = [await ask(path, init), await ask(path, init)];
	expect(numberOf(second)).not.toBe(numberOf(first));
});

test.each([404, 500, 503])("an answer of %s is not remembered", async (status) => {
	const first = await ask("/product/1", {}, status);
	expect(numberOf(await ask("/product/1"))).not.toBe(numberOf(first));
});
