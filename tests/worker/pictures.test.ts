import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sixProducts } from "../support/catalogue.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

const pages = ["/", ...sixProducts.map(({ id }) => `/product/${id}`)];

/** The tags of a kind in a page, each as its attributes. */
async function tagsIn(path: string, name: string): Promise<Record<string, string>[]> {
	const html = await (await shop.fetch(path)).text();
	return [...html.matchAll(new RegExp(`<${name} ([^>]*)>`, "g"))].map(([, attributes = ""]) =>
		Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
	);
}

const filesIn = (srcset = "") =>
	srcset
		.split(", ")
		.filter(Boolean)
		.map((file) => file.split(" "));

test.each(pages)(
	"every picture that GET %s may ask for is there, as wide and of the kind that it says",
	async (path) => {
		const sources = [...(await tagsIn(path, "source")), ...(await tagsIn(path, "img"))];
		const files = new Map(
			sources.flatMap((source) => filesIn(source["srcSet"] ?? source["srcset"])).map(([url, width]) => [url, width]),
		);
		expect(files.size).toBeGreaterThan(6);
		for (const [url = "", width] of files) {
			const response = await shop.fetch(url);
			expect([url, response.status]).toEqual([url, 200]);
			const { width: real, format } = await sharp(await response.arrayBuffer()).metadata();
			expect([url, `${real}w`, format]).toEqual([url, width ?? `${real}w`, url.endsWith("avif") ? "heif" : "webp"]);
		}
	},
);

test.each(pages)("GET %s keeps a place for each picture, and asks at once for the first alone", async (path) => {
	const images = await tagsIn(path, "img");
	for (const { width, height, alt } of images) {
		expect([Number(width) > 0, Number(height) > 0, alt]).toEqual([true, true, ""]);
	}
	const [first, ...rest] = images;
	expect(first).toMatchObject({ fetchPriority: "high" });
	expect(first?.["loading"]).not.toBe("lazy");
	for (const image of rest) expect(image).toMatchObject({ loading: "lazy" });
});

test("GET / has the hero asked for before anything else, for each width of window", async () => {
	const preloads = (await tagsIn("/", "link")).filter(({ as }) => as === "image");
	expect(preloads.map(({ media, fetchPriority, type }) => ({ media, fetchPriority, type }))).toEqual([
		{ media: "(width &lt; 760px)", fetchPriority: "high", type: "image/avif" },
		{ media: "(width &gt;= 760px)", fetchPriority: "high", type: "image/avif" },
	]);
});
