import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { mixer } from "../support/catalogue.ts";

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

test("reduced motion disables all animations and transitions", async ({ page }) => {
	await page.goto("/");
	const seen = await watchMotion(page);
	await page.getByRole("article").first().hover();
	await page.getByRole("link", { name: `More Info: ${mixer.title}` }).click();
	await expect(page.getByRole("heading", { level: 1, name: mixer.title })).toBeFocused();
	// with reduced motion, a slow page's progress line appears but does not grow
	expect((await seen()).filter((name) => name !== "pending")).toEqual([]);
});

test("a link on a scrolled page opens the next page at its top, without scrolling there", async ({ page }) => {
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
});
