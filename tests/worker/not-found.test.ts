import { afterAll, beforeAll, expect, test } from "vitest";
import { Customer } from "../support/customer.ts";
import { cardsOf, frameOf, sixCards } from "../support/page.ts";
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
	["NUL for an id", "/product/%00"],
	["a lone % for an id", "/product/%"],
	["a way up for an id", "/product/..%2f.."],
	["10,000 characters for an id", `/product/${"9".repeat(10_000)}`],
	["a name objects have for an id", "/product/__proto__"],
	["an id in other digits", "/product/%D9%A1%D9%A2%D9%A3"],
	["an id with more behind it", "/product/12321341/reviews"],
	["an id with a blank", "/product/12321341%20"],
	["invalid UTF-8", "/%c0%af"],
	["no escape", "/a%zz"],
	["a line's end", "/a%0D%0Ab"],
	["a line's end of Unicode's", "/a/b%E2%80%A8c"],
];

async function holdPage(response: { status: number; headers: Iterable<[string, string]>; text(): Promise<string> }) {
	const html = await read(response);
	expect(response.status).toBe(404);
	expect(html).toContain("<h1>Page Not Found</h1>");
	expect(html).toMatch(/sorry/i);
	expect(cardsOf(html)).toEqual(sixCards);
	expect(frameOf(html)).toEqual({ header: true, footerBar: true });
}

test.each(lost)("GET %s is a 404 page with an apology and the six products", async (_, path) => {
	await holdPage(await new Customer(shop).fetch(path));
});

// what fetch would tidy before it sends it
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
])("GET %j, sent as it is, is the same page", async (target) => {
	const headers: [string, string][] = [["Host", shop.url.host]];
	const answer = await sendRaw(shop.url, { method: "GET", target, headers, body: "", framing: "nothing" });
	if (!answer) throw new Error("There was no answer.");
	await holdPage(answer);
});
