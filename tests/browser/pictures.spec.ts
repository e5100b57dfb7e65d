import { expect, test } from "../support/browser.ts";
import { products } from "../support/catalogue.ts";

const phones = [
	{ width: 360, height: 780, deviceScaleFactor: 3 },
	{ width: 412, height: 823, deviceScaleFactor: 1.75 },
];

for (const { width, height, deviceScaleFactor } of phones) {
	test(`the home page's pictures total less than 25 kB per product at ${width} px and a device pixel ratio of ${deviceScaleFactor}`, async ({
		browser,
		shop,
	}) => {
		const page = await browser.newPage({ baseURL: shop.url.href, viewport: { width, height }, deviceScaleFactor });
		await page.goto("/");
		const pictures = await page.locator("main img:visible").all();
		for (const picture of pictures) {
			await picture.scrollIntoViewIfNeeded();
			await expect(picture).toHaveJSProperty("complete", true);
		}
		const sizes = await page.evaluate(() =>
			performance.getEntriesByType("resource").flatMap((entry) => {
				const bytes: unknown = Reflect.get(entry, "encodedBodySize");
				return entry.name.includes("/pictures/") ? [Number(bytes)] : [];
			}),
		);
		expect(sizes).toHaveLength(pictures.length);
		expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(products.length * 25_000);
		await page.close();
	});
}
