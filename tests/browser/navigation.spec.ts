import { chromium, type Page } from "@playwright/test";
import { findWholeChromium } from "../../tools/scripts/chromium.ts";
import playwright from "../playwright.config.ts";
import { addToBasket, createAccount, expect, follow, test } from "../support/browser.ts";

const mixer = "/product/49538094.data";

/** Counts the requests for the mixer's data that were served by the network, not by the browser's cache. */
function countRequests(page: Page): Promise<number> {
	return page.evaluate(
		(path) =>
			performance
				.getEntriesByType("resource")
				.filter((entry) => entry.name.endsWith(path) && Reflect.get(entry, "transferSize") > 0).length,
		mixer,
	);
}

test("hovering over a card prefetches its product, and the click sends no further request", async ({ page }) => {
	await page.goto("/");
	const link = page.getByRole("link", { name: "More Info: Stand mixer" });
	await link.hover();
	await expect.poll(() => countRequests(page)).toBe(1);
	await link.click();
	await expect(page.getByRole("heading", { level: 1, name: "Stand mixer" })).toBeFocused();
	expect(await countRequests(page)).toBe(1);
});

test("a client navigation removes the canonical URL and the share tags of the first page, and keeps the new description", async ({
	page,
}) => {
	const count = (selector: string) => page.locator(selector).count();
	await page.goto("/product/49538094");
	expect(await count("link[rel=canonical]")).toBe(1);
	expect(await count("script[type='application/ld+json']")).toBe(1);
	const description = (await page.locator("meta[name=description]").getAttribute("content")) ?? "";
	await page.getByRole("link", { name: "Smart speaker" }).click();
	await expect(page.getByRole("heading", { level: 1, name: "Smart speaker" })).toBeFocused();
	expect(await count("link[rel=canonical], meta[property], script[type='application/ld+json']")).toBe(0);
	expect(await count("meta[name=description]")).toBe(1);
	await expect(page.locator("meta[name=description]")).not.toHaveAttribute("content", description);
});

test("after sign-in, a link that was prefetched as a guest opens a page with the customer's email", async ({
	page,
}) => {
	await page.goto("/");
	const link = page.getByRole("link", { name: "More Info: Stand mixer" });
	await link.hover();
	await expect.poll(() => countRequests(page)).toBe(1);
	const email = await createAccount(page);
	await link.click();
	await expect(page.getByRole("heading", { level: 1, name: "Stand mixer" })).toBeFocused();
	await expect(page.getByText(`Hello ${email}`)).toBeVisible();
});

test("a client navigation shows each page with its own styles, on top of the styles of all pages", async ({ page }) => {
	await page.goto("/login");
	const isStyled = async (selector: string, property: string, value: string) =>
		await expect(page.locator(selector).first()).toHaveCSS(property, value);
	await follow(page, "Home");
	await isStyled(".rows", "display", "grid");
	// app.css gives a card more padding
	await isStyled(".card", "padding", "12px");
	await follow(page, "More Info: Stand mixer");
	await isStyled(".views", "display", "flex");
	await addToBasket(page, "Stand mixer");
	await follow(page, "View basket");
	await isStyled(".line-item", "display", "flex");
});

test("going back within a document that is not hydrated yet loads the page at that URL", async ({ page }) => {
	await page.goto("/orders");
	await follow(page, "Home");
	await page.goto("/login");
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	await page.route("**/assets/*.js", async (route) => {
		await released;
		await route.continue();
	});
	// loads / as a new document, which also contains the entry of /orders
	await page.goBack({ waitUntil: "commit" });
	await expect(page.getByRole("heading", { level: 1, name: "Six things" })).toBeVisible();
	await page.goBack({ waitUntil: "commit" });
	await expect(page).toHaveURL("/orders");
	release();
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your Orders");
	await expect(page.getByText("Hello Guest")).toHaveCount(1);
	await follow(page, "Home");
	await expect(page).toHaveURL("/");
});

test("a guest's page is restored from the back-forward cache with its basket", async ({ shop }) => {
	// Playwright disables the back-forward cache, and loses track of a page restored from it
	const executablePath = findWholeChromium();
	test.skip(executablePath === null, "the only Chromium is a headless shell, without a back-forward cache");
	const browser = await chromium.launch({
		...playwright.use?.launchOptions,
		...(executablePath && { executablePath }),
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
