import type { Page } from "@playwright/test";
import { homeHeading } from "#app/brand.ts";
import { expect, test } from "../support/browser.ts";

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

test("opening a product from its card animates the picture into the product page", async ({ page }) => {
	await page.goto("/");
	const seen = await watchMotion(page);
	const open = async () => {
		await page.getByRole("article").first().hover();
		await page.getByRole("link", { name: "More Info: Stand mixer" }).click();
		await expect(page.getByRole("heading", { level: 1, name: "Stand mixer" })).toBeFocused();
	};
	await test.step("reduced motion disables all animations and transitions", async () => {
		await open();
		// with reduced motion, a slow page's progress line appears but does not grow
		expect((await seen()).filter((name) => name !== "pending")).toEqual([]);
	});
	await page.goBack();
	await expect(page.getByRole("heading", { level: 1, name: homeHeading })).toBeFocused();
	await page.emulateMedia({ reducedMotion: "no-preference" });
	await open();
	await expect.poll(seen).toContain("-ua-view-transition-group-anim-mixer");
});

test("going back before the picture moves shows the previous page without a console error", async ({ page }) => {
	await page.emulateMedia({ reducedMotion: "no-preference" });
	await page.goto("/");
	// goes back after the page has changed, and delays the animation until React Router skips it
	await page.evaluate(() => {
		const start = document.startViewTransition.bind(document);
		document.startViewTransition = (change) => {
			document.startViewTransition = start;
			const skipped = Promise.withResolvers<void>();
			const transition = start(async () => {
				if (typeof change === "function") await change();
				history.back();
				await skipped.promise;
			});
			const skip = transition.skipTransition.bind(transition);
			transition.skipTransition = () => {
				skip();
				skipped.resolve();
			};
			return transition;
		};
	});
	await page.getByRole("link", { name: "More Info: Stand mixer" }).click();
	await expect(page.getByRole("heading", { level: 1, name: homeHeading })).toBeFocused();
	await expect(page).toHaveURL("/");
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
