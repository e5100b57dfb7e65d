import { AxeBuilder } from "@axe-core/playwright";
import { addToBasket, test as base, expect, follow, waitForCode } from "../support/browser.ts";
import { openShop } from "../support/shop.ts";

const words = "A demonstration: payments go to an emulator, and no card is charged. Pay with 4242 4242 4242 4242.";

const test = base.extend({
	shop: [
		// biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
		async ({}, use) => {
			const shop = await openShop({ secrets: { DEMO: words } });
			await use(shop);
			await shop.close();
		},
		{ scope: "worker" },
	],
});

for (const path of ["/", "/login", "/orders", "/nowhere"]) {
	test(`${path} shows the demo notice in light and dark without axe violations`, async ({ page, expectRefusal }) => {
		if (path === "/nowhere") expectRefusal(path, 404);
		await page.setViewportSize({ width: 320, height: 640 });
		for (const colorScheme of ["light", "dark"] as const) {
			await test.step(colorScheme, async () => {
				await page.emulateMedia({ colorScheme });
				await page.goto(path);
				await waitForCode(page);
				await expect(page.getByRole("complementary", { name: "Notice" })).toHaveText(words);
				const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
				const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
				expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html })))).toEqual([]);
				expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
			});
		}
	});
}

test("the demo notice stays at the top of every page during navigation", async ({ page }) => {
	const notice = page.getByRole("complementary", { name: "Notice" });
	await page.goto("/");
	await addToBasket(page, "The Steady Business");
	await follow(page, "Basket, 1 item");
	await expect(page.getByRole("heading", { name: "Your basket" })).toBeVisible();
	await expect(notice).toHaveText(words);
	const [band, header] = [await notice.boundingBox(), await page.getByRole("banner").boundingBox()];
	expect(band?.y).toBe(0);
	expect(header?.y).toBe(band?.height);
	await follow(page, "Sign In");
	await expect(page.getByLabel("Email")).toBeVisible();
	await expect(notice).toHaveText(words);
});
