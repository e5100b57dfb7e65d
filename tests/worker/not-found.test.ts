import { afterAll, beforeAll, expect, test } from "vitest";
import { Customer } from "../support/customer.ts";
import { cards, cardsOf, frameOf } from "../support/page.ts";
import { sendRaw } from "../support/raw-request.ts";
import { read } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

const lost: [string, string][] = [
	["/nowhere", "/nowhere"],
	["/product/", "/product/"],
	["/product/0", "/product/0"],
	["/product/abc", "/product/abc"],
	["a product whose id is NUL", "/product/%00"],
	["a product whose id is a bare %", "/product/%"],
	["a product whose id is a path traversal", "/product/..%2f.."],
	["a product whose id has 10,000 characters", `/product/${"9".repeat(10_000)}`],
	["a product whose id is __proto__", "/product/__proto__"],
	["a product whose id is in Arabic digits", "/product/%D9%A1%D9%A2%D9%A3"],
	["a product path with a further segment", "/product/12321341/reviews"],
	["a product whose id has a trailing space", "/product/12321341%20"],
	["a path of invalid UTF-8", "/%c0%af"],
	["a path with a malformed escape", "/a%zz"],
	["a path with a line break", "/a%0D%0Ab"],
	["a path with a Unicode line separator", "/a/b%E2%80%A8c"],
];

async function holdPage(response: { status: number; headers: Iterable<[string, string]>; text(): Promise<string> }) {
	const html = await read(response);
	expect(response.status).toBe(404);
	expect(html).toContain("<h1>Page Not Found</h1>");
	expect(html).toMatch(/sorry/i);
	expect(cardsOf(html)).toEqual(cards);
	expect(frameOf(html)).toEqual({ header: true, footerBar: true });
}

test.each(lost)("a GET request for %s returns the 404 page with an apology and the six products", async (_, path) => {
	await holdPage(await new Customer(shop).fetch(path));
});

// targets that fetch would normalize
test.each([
	"/product/..;/",
	"/..;/",
	"//nowhere",
	"//evil.test/login",
	"/\\evil.test",
	"/product/\xff\xfe",
	"/nowhere#x?y",
	"/./product/../nowhere",
	"/a\tb",
])("GET %j, sent unnormalized, returns the 404 page", async (target) => {
	const headers: [string, string][] = [["Host", shop.url.host]];
	const answer = await sendRaw(shop.url, { method: "GET", target, headers, body: "", framing: "nothing" });
	if (!answer) throw new Error("The connection was closed without a response.");
	await holdPage(answer);
});
