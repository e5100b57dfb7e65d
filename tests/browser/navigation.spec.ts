import type { Page } from "@playwright/test";
import { expect, hold, test } from "../support/browser.ts";
import { mixer } from "../support/catalogue.ts";
import { addToBasket, follow } from "../support/shopper.ts";

/** Starts recording the names of all animations. Returns a function that lists the recorded names. */
async function watchMotion(page: Page): Promise<() => Promise<string[]>> {
	await page.evaluate(() => {
		const seen = new Set<string>();
		Object.assign(window, { seen });
		const look = () => {
			for (const animation of document.getAnimations()) {
				seen.add("animationName" in animation ? String(animation.animationName) : "transition");
			}
			requestAnimationFrame(look);
		};
		look();
	});
	return () => page.evaluate(() => [...Reflect.get(window, "seen")]);
}

test("a client navigation shows the page's own styles and only its own description", async ({ page }) => {
	const count = (selector: string) => page.locator(selector).count();
	const expectStyle = (selector: string, property: string, value: string) =>
		expect(page.locator(selector).first()).toHaveCSS(property, value);
	await page.goto(`/product/${mixer.id}`);
	expect(await count("link[rel=canonical]")).toBe(1);
	expect(await count("script[type='application/ld+json']")).toBe(1);
	const description = (await page.locator("meta[name=description]").getAttribute("content")) ?? "";
	const seen = await watchMotion(page);
	await follow(page, "Home");
	await expect(page.getByRole("heading", { level: 1, name: "things" })).toBeFocused();
	await test.step("reduced motion disables all animations and transitions", async () => {
		await page.getByRole("article").first().hover();
		// a slow page's progress line appears but does not grow
		expect((await seen()).filter((name) => name !== "pending")).toEqual([]);
	});
	expect(await count("link[rel=canonical], meta[property], script[type='application/ld+json']")).toBe(0);
	expect(await count("meta[name=description]")).toBe(1);
	await expect(page.locator("meta[name=description]")).not.toHaveAttribute("content", description);
	await expectStyle(".rows", "display", "grid");
	// app.css gives a card more padding
	await expectStyle(".card", "padding", "12px");
	await addToBasket(page, mixer.title);
	await follow(page, "Basket, 1 item");
	await expectStyle(".line-item", "display", "grid");
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

test("a link on a scrolled page opens the next page at its top, and Back restores the position", async ({ page }) => {
	await page.emulateMedia({ reducedMotion: "no-preference" });
	await page.setViewportSize({ width: 390, height: 500 });
	await page.goto("/");
	await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
	const atFocus = page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				addEventListener("focusin", ({ target }) => target instanceof HTMLHeadingElement && resolve(scrollY));
			}),
	);
	await page.getByRole("link", { name: "Returns & Orders" }).dispatchEvent("click");
	expect(await atFocus).toBe(0);
	// any later scrolling would not be animated
	await page.emulateMedia({ reducedMotion: "reduce" });
	await page.goBack();
	await expect(page.getByRole("heading", { level: 1, name: "things" })).toBeFocused();
	expect(await page.evaluate(() => scrollY)).toBe(900);
});
