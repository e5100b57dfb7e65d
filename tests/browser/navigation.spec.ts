import { chromium } from "@playwright/test";
import { findWholeChromium } from "../../tools/scripts/chromium.ts";
import playwright from "../playwright.config.ts";
import { addToBasket, expect, follow, hold, test } from "../support/browser.ts";
import { mixer, speaker } from "../support/catalogue.ts";

test("a client navigation shows the page's own styles and only its own description", async ({ page }) => {
	const count = (selector: string) => page.locator(selector).count();
	const isStyled = async (selector: string, property: string, value: string) =>
		await expect(page.locator(selector).first()).toHaveCSS(property, value);
	await page.goto(`/product/${mixer.id}`);
	expect(await count("link[rel=canonical]")).toBe(1);
	expect(await count("script[type='application/ld+json']")).toBe(1);
	const description = (await page.locator("meta[name=description]").getAttribute("content")) ?? "";
	await follow(page, "Home");
	await expect(page.getByRole("heading", { level: 1, name: "things" })).toBeFocused();
	expect(await count("link[rel=canonical], meta[property], script[type='application/ld+json']")).toBe(0);
	expect(await count("meta[name=description]")).toBe(1);
	await expect(page.locator("meta[name=description]")).not.toHaveAttribute("content", description);
	await isStyled(".rows", "display", "grid");
	// app.css gives a card more padding
	await isStyled(".card", "padding", "12px");
	await addToBasket(page, mixer.title);
	await follow(page, "Basket, 1 item");
	await isStyled(".line-item", "display", "grid");
});

test("going back within a document that is not hydrated yet loads the page at that URL", async ({ page }) => {
	await page.goto("/orders");
	await follow(page, "Home");
	await expect(page).toHaveURL("/");
	await page.goto("/login");
	const release = await hold(page, "**/assets/*.js");
	// loads / as a new document, which also contains the entry of /orders
	await page.goBack({ waitUntil: "commit" });
	await expect(page.getByRole("heading", { level: 1, name: "things" })).toBeVisible();
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
	await page.getByRole("button", { name: `Add to Basket: ${speaker.title}` }).click();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await page.goto(`/product/${mixer.id}`);
	await page.evaluate(() => void setTimeout(() => history.back()));
	const witness = await context.newPage();
	await witness.goto("/robots.txt");
	await expect.poll(() => witness.evaluate(() => localStorage.getItem("restored"))).toBe("1");
	await browser.close();
});
