import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { mixer, products } from "../support/catalogue.ts";

const links = (page: Page) => page.locator(".hero li a:visible");

/** Windows of phones with their browser's bars, of tablets, laptops and large screens. */
const windows = [
	...[[320, 568] as const, [360, 640] as const, [390, 659] as const, [639, 800] as const, [640, 800] as const],
	...[[768, 1024] as const, [800, 600] as const, [844, 390] as const, [1024, 600] as const, [1366, 625] as const],
	...[[1920, 1080] as const, [2560, 1440] as const],
];

/** How many products the first window of a small phone has room for. */
const room = 6;

for (const dir of ["ltr", "rtl"]) {
	test(`the first window shows the banner's prices and buttons, and the first cards (${dir})`, async ({ page }) => {
		await page.goto("/");
		await page.evaluate((dir) => document.documentElement.setAttribute("dir", dir), dir);
		for (const [width, height] of windows) {
			await page.setViewportSize({ width, height });
			const size = `${width} × ${height}`;
			// a shop's own products may not be in the picture
			await expect(links(page).first(), size).toBeVisible();
			const controls = page.locator(".hero li").locator("a:visible, button:visible");
			for (const control of (await controls.all()).slice(0, 2 * room)) {
				await expect(control, size).toBeInViewport({ ratio: 1 });
			}
			if (width > 320 && products.length <= room) await expect(page.locator(".row").first(), size).toBeInViewport();
			expect(await misplacedLabels(page), size).toEqual([]);
		}
	});
}

/** Lists the labels that overlap another one, the headline or the first cards, or are beyond the picture. */
function misplacedLabels(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const boxesOf = (selector: string) =>
			Array.from(document.querySelectorAll(selector), (element) => element.getBoundingClientRect());
		const labels = boxesOf(".hero li");
		const [picture = new DOMRect()] = boxesOf(".scene");
		const others = boxesOf(".hero :is(h1, p), .row:first-of-type");
		const isBeside = (one: DOMRect, other: DOMRect) =>
			one.right <= other.left || one.left >= other.right || one.bottom <= other.top || one.top >= other.bottom;
		return labels
			.filter(
				(label, index) =>
					![...labels.slice(0, index), ...others].every((other) => isBeside(label, other)) ||
					[label.left < picture.left, label.right > picture.right, label.bottom > picture.bottom].includes(true),
			)
			.map((label) => JSON.stringify(label));
	});
}

test("with little room, the names and prices are below the products in the banner's picture", async ({ page }) => {
	await page.goto("/");
	for (const [width, height] of [[320, 568] as const, [600, 800] as const, [667, 331] as const]) {
		await page.setViewportSize({ width, height });
		await expect(page.locator(".hero small:visible")).toHaveCount(products.length);
		const tops = await links(page).evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
		expect(tops).toHaveLength(products.length);
		const picture = await page.locator(".hero img:visible").boundingBox();
		expect(Math.min(...tops)).toBeGreaterThan((picture?.y ?? 0) + (picture?.height ?? 0) * 0.75);
	}
});

test("a label on the banner adds its product to the basket or opens its page", async ({ page }) => {
	await page.goto("/");
	const label = page.locator(".hero li").filter({ hasText: mixer.title });
	const add = label.getByRole("button", { name: `Add ${mixer.title} to basket` });
	await add.click();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await page.getByRole("button", { name: "Undo" }).press("Enter");
	await expect(add).toBeFocused();
	await page.keyboard.press("Shift+Tab");
	// the focus shows the name, as the pointer does
	await expect(label.locator("small")).toHaveCSS("clip-path", "none");
	await page.keyboard.press("Enter");
	await expect(page.getByRole("heading", { level: 1 })).toContainText(mixer.title);
});
