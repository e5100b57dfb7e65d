import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { products } from "../support/catalogue.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

const pages = ["/", ...products.map(({ id }) => `/product/${id}`)];

/** Returns the attributes of each tag with this name on a page. */
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

test.each(pages)("every picture that GET %s references exists with the declared width and format", async (path) => {
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
});

test.each(pages)("GET %s reserves space for each picture, and describes each product's picture", async (path) => {
	const images = await tagsIn(path, "img");
	for (const { width, height } of images) expect([Number(width) > 0, Number(height) > 0]).toEqual([true, true]);
	// the heroes, thumbnails and links to other products have text beside them
	const described = images.filter(({ alt }) => alt !== "");
	expect(described).toHaveLength(path === "/" ? products.length : images.length - describedElsewhere(images));
});

/** Returns the number of thumbnails, of the picture in the closed dialog, and of links to other products. */
function describedElsewhere(images: Record<string, string>[]): number {
	return images.filter(({ sizes = "" }) => sizes === "72px" || sizes.endsWith("220px")).length;
}

test("GET / loads the heroes lazily, because one of them is hidden, but with high priority", async () => {
	const [day, night, ...rest] = await tagsIn("/", "img");
	for (const hero of [day, night]) expect(hero).toMatchObject({ loading: "lazy", fetchPriority: "high" });
	for (const image of rest) expect(image).toMatchObject({ loading: "lazy" });
});

test.each(pages.slice(1))("GET %s loads the first picture with high priority and all others lazily", async (path) => {
	const [first, ...rest] = await tagsIn(path, "img");
	expect(first).toMatchObject({ fetchPriority: "high" });
	expect(first?.["loading"]).not.toBe("lazy");
	for (const image of rest) expect(image).toMatchObject({ loading: "lazy" });
});

test("GET / preloads the hero for each theme and window width with high priority", async () => {
	const preloads = (await tagsIn("/", "link")).filter(({ as }) => as === "image");
	expect(preloads.map(({ media, fetchPriority, type }) => ({ media, fetchPriority, type }))).toEqual([
		...["light", "dark"].flatMap((scheme) => [
			{ media: `(prefers-color-scheme: ${scheme}) and (width &lt; 40em)`, fetchPriority: "high", type: "image/avif" },
			{ media: `(prefers-color-scheme: ${scheme}) and (width &gt;= 40em)`, fetchPriority: "high", type: "image/avif" },
		]),
	]);
});
