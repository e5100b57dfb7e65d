import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { expect, test } from "../support/browser.ts";
import { book, products } from "../support/catalogue.ts";

const phones = [
	{ width: 360, height: 740, deviceScaleFactor: 3, colorScheme: "light" },
	{ width: 412, height: 823, deviceScaleFactor: 1.75, colorScheme: "dark" },
] as const;

for (const { width, height, deviceScaleFactor, colorScheme } of phones) {
	test.describe(() => {
		test.use({ viewport: { width, height }, deviceScaleFactor, colorScheme });

		test(`pictures are no larger than needed at ${width} px × ${deviceScaleFactor}`, async ({ page }) => {
			const requested: { url: string; priority: string }[] = [];
			const network = await page.context().newCDPSession(page);
			await network.send("Network.enable");
			network.on("Network.requestWillBeSent", ({ request: { url, initialPriority: priority } }) => {
				if (url.includes("/pictures/")) requested.push({ url, priority });
			});
			// Chromium chooses how far ahead it loads lazy pictures by the type of the connection
			await network.send("Network.emulateNetworkConditions", {
				...{ offline: false, latency: 20, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 },
				connectionType: "cellular4g",
			});
			await test.step(`the first screen loads less than 90 kB, first the hero of the ${colorScheme} theme`, async () => {
				await page.goto("/", { waitUntil: "networkidle" });
				const hero = await page.locator(".hero img:visible").evaluate((image: HTMLImageElement) => image.currentSrc);
				expect(requested[0]).toEqual({ url: hero, priority: "High" });
				expect(hero.includes("-night")).toBe(colorScheme === "dark");
				const first = await sizesOfPictures(page);
				expect(first).toHaveLength(requested.length);
				expect(sum(first)).toBeLessThan(90_000);
			});
			await test.step("all pictures total less than 25 kB per product, and none is wider than needed", async () => {
				const pictures = await loadPictures(page, "main img:visible");
				const all = await sizesOfPictures(page);
				expect(all).toHaveLength(pictures.length);
				expect(new Set(requested.map(({ url }) => url)).size).toBe(pictures.length);
				expect(sum(all)).toBeLessThan(products.length * 25_000);
				for (const picture of pictures) await expectWidth(picture);
			});
			await page.goto(`/product/${book.id}`);
			// a thumbnail of a view that has loaded reuses its file
			for (const picture of await loadPictures(page, ".gallery > .views img")) await expectWidth(picture);
			await page.locator(".views a").last().press("Enter");
			for (const picture of await loadPictures(page, "dialog img")) await expectWidth(picture);
		});
	});
}

test("in the dark theme, the shelf beside a dark product's foot is twice as light", async ({ page }) => {
	await page.emulateMedia({ colorScheme: "dark" });
	await page.goto("/");
	for (const shelf of await page.locator(".card .shelf").all()) {
		const lift = await shelf.evaluate((shelf) => getComputedStyle(shelf).getPropertyValue("--lift"));
		if (lift === "0") continue;
		await shelf.scrollIntoViewIfNeeded();
		await expect(shelf.locator("img")).toHaveJSProperty("complete", true);
		const { data, info } = await sharp(await shelf.screenshot())
			.raw()
			.toBuffer({ resolveWithObject: true });
		const lightnessAt = (x: number, y: number) => {
			const pixel = (Math.round(y * info.height) * info.width + Math.round(x * info.width)) * info.channels;
			return sum([...data.subarray(pixel, pixel + 3)]);
		};
		expect(lightnessAt(0.25, 0.75)).toBeGreaterThan(2 * lightnessAt(0.5, 0.75));
	}
});

const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

/** Scrolls to each of these pictures and waits until it has loaded. */
async function loadPictures(page: Page, selector: string): Promise<Locator[]> {
	const pictures = await page.locator(selector).all();
	for (const picture of pictures) {
		await picture.scrollIntoViewIfNeeded();
		await expect(picture).toHaveJSProperty("complete", true);
	}
	return pictures;
}

/** Returns the bytes of each picture that the page has loaded. */
function sizesOfPictures(page: Page): Promise<number[]> {
	return page.evaluate(() =>
		performance.getEntriesByType("resource").flatMap((entry) => {
			const bytes: unknown = Reflect.get(entry, "encodedBodySize");
			return entry.name.includes("/pictures/") ? [Number(bytes)] : [];
		}),
	);
}

/** Asserts that a picture's file has as many pixels as the screen shows, and at most half as many again per side. The
 *  smallest file may be wider. The largest may have 2.75 pixels per CSS pixel, which looks the same as 3. */
async function expectWidth(picture: Locator): Promise<void> {
	const { shown, file, smallest } = await picture.evaluate((image: HTMLImageElement) => {
		const { paddingLeft, paddingTop, objectFit } = getComputedStyle(image);
		const width = image.clientWidth - 2 * Number.parseFloat(paddingLeft);
		const height = image.clientHeight - 2 * Number.parseFloat(paddingTop);
		// the file fills the picture's box, or lies in it
		const choose = objectFit === "cover" ? Math.max : Math.min;
		const widthOf = (url = "") => Number(/-(\d+)\.avif/.exec(url)?.[1]);
		return {
			shown: choose(width, (height * image.naturalWidth) / image.naturalHeight),
			file: widthOf(image.currentSrc),
			smallest: widthOf(image.closest("picture")?.querySelector("source")?.srcset),
		};
	});
	const ratio = await picture.page().evaluate(() => devicePixelRatio);
	expect(file).toBeGreaterThanOrEqual(Math.floor(shown * Math.min(ratio, 2.75)));
	expect(file).toBeLessThanOrEqual(Math.max(smallest, 1.5 * shown * ratio));
}
