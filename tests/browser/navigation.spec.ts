import { chromium, type Page } from "@playwright/test";
import playwright from "../playwright.config.ts";
import { createAccount, expect, test } from "../support/browser.ts";

const mixer = "/product/49538094.data";

/** How often the network, and not the browser's cache, has answered with the mixer's data. */
function asked(page: Page): Promise<number> {
	return page.evaluate(
		(path) =>
			performance
				.getEntriesByType("resource")
				.filter((entry) => entry.name.endsWith(path) && Reflect.get(entry, "transferSize") > 0).length,
		mixer,
	);
}

test("pointing at a card asks for its product, and following it then asks for nothing more", async ({ page }) => {
	await page.goto("/");
	const link = page.getByRole("link", { name: "More Info: Stand mixer" });
	await link.hover();
	await expect.poll(() => asked(page)).toBe(1);
	await link.click();
	await expect(page.getByRole("heading", { level: 1, name: "Stand mixer" })).toBeFocused();
	expect(await asked(page)).toBe(1);
});

test("what was asked for in advance as a guest is not shown to the customer they become", async ({ page }) => {
	await page.goto("/");
	const link = page.getByRole("link", { name: "More Info: Stand mixer" });
	await link.hover();
	await expect.poll(() => asked(page)).toBe(1);
	const email = await createAccount(page);
	await link.click();
	await expect(page.getByRole("heading", { level: 1, name: "Stand mixer" })).toBeFocused();
	await expect(page.getByText(`Hello ${email}`)).toBeVisible();
});

test("going back over a document, a guest finds the page as it was, basket included", async ({ shop }) => {
	// Playwright turns the back-forward cache off, and loses sight of a page that comes from it
	const browser = await chromium.launch({
		...playwright.use?.launchOptions,
		ignoreDefaultArgs: ["--disable-back-forward-cache"],
	});
	const context = await browser.newContext({ baseURL: shop.url.href });
	await context.addInitScript(() => {
		addEventListener("pageshow", ({ persisted }) => {
			if (persisted) localStorage.setItem("restored", document.querySelector(".basket")?.textContent ?? "");
		});
	});
	const page = await context.newPage();
	await page.goto("/");
	await page.getByRole("button", { name: "Add to Basket: Smart speaker" }).click();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await page.goto("/product/49538094");
	await page.evaluate(() => void setTimeout(() => history.back()));
	const witness = await context.newPage();
	await witness.goto("/robots.txt");
	await expect.poll(() => witness.evaluate(() => localStorage.getItem("restored"))).toBe("1");
	await browser.close();
});
