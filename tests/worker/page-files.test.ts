import { readFileSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import { pictures } from "../../tools/art/pictures.ts";
import { products } from "../support/catalogue.ts";
import { bytesByName, listPageFiles } from "../support/page-bytes.ts";
import { openFileShop } from "./setup.ts";

const shop = await openFileShop();

/** The bytes of each file that a page loads, by page and name. MEASURE=1 npm test -- tests/worker/page-files.test.ts
 *  rewrites them. */
const recordFile = new URL("page-bytes.json", import.meta.url);
const record: Record<string, Record<string, number>> = JSON.parse(readFileSync(recordFile, "utf8"));
const sum = (bytes: Record<string, number>) => Object.values(bytes).reduce((total, each) => total + each, 0);

test.each(Object.entries(record))(
	"%s loads at most three percent more than the recorded bytes",
	async (page, before) => {
		const now = bytesByName(await listPageFiles(page, shop.fetch));
		const names = Object.keys(now);
		expect(new Set(names.map((name) => name.split(".").at(-1)))).toEqual(new Set(["js", "css"]));
		if (process.env["MEASURE"]) {
			record[page] = now;
			writeFileSync(recordFile, `${JSON.stringify(record, null, "\t")}\n`);
			return;
		}
		const budget = 100 * Math.ceil((1.03 * sum(before)) / 100);
		const growth = (name: string) => (now[name] ?? 0) - (before[name] ?? 0);
		const [most = ""] = names.toSorted((a, b) => growth(b) - growth(a));
		const message =
			`${page} loads ${sum(now)} bytes, its budget is ${budget}; ${most} grew most, by ${growth(most)} to ${now[most]}. ` +
			"To accept it: MEASURE=1 npm test -- tests/worker/page-files.test.ts";
		expect(sum(now), message).toBeLessThanOrEqual(budget);
	},
);

test("all pages share one framework file and one shell file", async () => {
	const pages = await Promise.all(["/", "/orders", "/payment"].map((page) => listPageFiles(page, shop.fetch)));
	for (const name of ["entry.client", "shell"]) {
		const paths = pages.flatMap((files) => files.filter(({ path }) => path.startsWith(`/assets/${name}-`)));
		expect(paths).toHaveLength(3);
		expect(new Set(paths.map(({ path }) => path)).size).toBe(1);
	}
});

const pages = ["/", ...products.map(({ id }) => `/product/${id}`)];

/** Returns the attributes of each tag with this name on a page. */
async function tagsIn(path: string, name: string): Promise<Record<string, string>[]> {
	const html = await (await shop.fetch(path)).text();
	return [...html.matchAll(new RegExp(`<${name} ([^>]*)>`, "g"))].map(([, attributes = ""]) =>
		Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
	);
}

test("every picture that a page references exists with the declared width and format", async () => {
	const files = new Map<string, string | undefined>();
	for (const path of pages) {
		for (const source of [...(await tagsIn(path, "source")), ...(await tagsIn(path, "img"))]) {
			const srcset = source["srcSet"] ?? source["srcset"] ?? "";
			for (const [, url = "", width] of srcset.matchAll(/([^\s,]+)(?: (\w+))?/g)) files.set(url, width);
		}
	}
	expect(files.size).toBeGreaterThan(6 * products.length);
	for (const [url, width] of files) {
		const response = await shop.fetch(url);
		expect([url, response.status]).toEqual([url, 200]);
		const { width: real, format } = await sharp(await response.arrayBuffer()).metadata();
		expect([url, `${real}w`, format]).toEqual([url, width ?? `${real}w`, url.endsWith("avif") ? "heif" : "webp"]);
	}
});

test.each(pages)("GET %s reserves space for each picture, and loads later ones lazily", async (path) => {
	const images = await tagsIn(path, "img");
	for (const { width, height } of images) expect([Number(width) > 0, Number(height) > 0]).toEqual([true, true]);
	const described = images.filter(({ alt }) => alt !== "");
	// thumbnails and links to other products have text beside them, like the heroes
	const others = images.filter(({ sizes = "" }) => sizes === "96px" || sizes.endsWith("220px"));
	expect(described).toHaveLength(path === "/" ? products.length : images.length - others.length);
	// the heroes are lazy because one of them is hidden
	const [first, second, ...rest] = images;
	expect(first).toMatchObject({ fetchPriority: "high", ...(path === "/" && { loading: "lazy" }) });
	if (path !== "/") expect(first?.["loading"]).not.toBe("lazy");
	expect(second).toMatchObject({ loading: "lazy", ...(path === "/" && { fetchPriority: "high" }) });
	for (const image of rest) expect(image).toMatchObject({ loading: "lazy" });
});

test("GET / preloads the hero for each theme and window width with high priority", async () => {
	const preloads = (await tagsIn("/", "link")).filter(({ as }) => as === "image");
	const medias = ["light", "dark"].flatMap((scheme) =>
		["&lt;", "&gt;="].map((sign) => `(prefers-color-scheme: ${scheme}) and (width ${sign} 40em)`),
	);
	expect(preloads).toMatchObject(medias.map((media) => ({ media, fetchPriority: "high", type: "image/avif" })));
});

test("every product that tools/art renders stands on its shadow", async () => {
	const faint: string[] = [];
	const shown = (await tagsIn("/", "img")).filter(({ alt }) => alt !== "");
	const images = shown.filter(({ src = "" }) =>
		[...pictures.keys()].some((name) => src.startsWith(`/pictures/${name.split("-")[0]}-`)),
	);
	for (const { src = "" } of images) {
		const picture = await (await shop.fetch(src)).arrayBuffer();
		const pixels = await sharp(picture).ensureAlpha().raw().toBuffer();
		// 200 in a square picture
		const least = pixels.length / 4 / 2048;
		let dark = 0;
		for (let pixel = 0; pixel < pixels.length; pixel += 4) {
			const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(pixel, pixel + 4);
			if (red + green + blue < 24 && alpha > 110 && alpha < 230) dark++;
		}
		if (dark < least) faint.push(`${src}: ${dark} dark pixels`);
	}
	expect(shown).toHaveLength(products.length);
	expect(faint).toEqual([]);
});

test.each([...pages, "/orders"])("the share picture of GET %s is a JPEG of 1200 × 630 pixels", async (path) => {
	const shared = (await tagsIn(path, "meta")).find(({ property }) => property === "og:image");
	const response = await shop.fetch(shared?.["content"] ?? "");
	const bytes = await response.arrayBuffer();
	const { width, height, format } = await sharp(bytes).metadata();
	expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: "jpeg" });
	expect(bytes.byteLength).toBeLessThan(80_000);
	// other sites may show it
	expect(response.headers.get("Cross-Origin-Resource-Policy")).toBeNull();
});

test("GET /favicon.ico returns icons of 16, 32 and 48 pixels", async () => {
	const response = await shop.fetch("/favicon.ico");
	expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "image/vnd.microsoft.icon"]);
	const file = Buffer.from(await response.arrayBuffer());
	expect([file.readUInt16LE(0), file.readUInt16LE(2), file.readUInt16LE(4)]).toEqual([0, 1, 3]);
	for (const [index, size] of [16, 32, 48].entries()) {
		const entry = file.subarray(6 + 16 * index);
		const image = file.subarray(entry.readUInt32LE(12)).subarray(0, entry.readUInt32LE(8));
		expect([entry[0], entry[1]]).toEqual([size, size]);
		expect(await sharp(image).metadata()).toMatchObject({ width: size, height: size, format: "png" });
	}
});

test("every page links to three icons, of which /apple-touch-icon.png is opaque and 180 pixels wide", async () => {
	const links = (await tagsIn("/nowhere", "link")).filter(({ rel }) => rel?.includes("icon"));
	expect(links.map(({ href }) => href)).toEqual(["/favicon.ico", "/favicon.svg", "/apple-touch-icon.png"]);
	const icon = sharp(await (await shop.fetch("/apple-touch-icon.png")).arrayBuffer());
	expect(await icon.metadata()).toMatchObject({ width: 180, height: 180, format: "png" });
	expect((await icon.stats()).isOpaque).toBe(true);
});
