import type { Page } from "@playwright/test";
import { addToBasket, expect, follow, test } from "../support/browser.ts";
import { homeHeading } from "../support/catalogue.ts";

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

async function goToMixer(page: Page): Promise<void> {
	await page.getByRole("link", { name: "More Info: Stand mixer" }).click();
	await expect(page.getByRole("heading", { level: 1, name: "Stand mixer" })).toBeFocused();
}

test("opening a product from its card animates the picture into the product page", async ({ page }) => {
	await page.emulateMedia({ reducedMotion: "no-preference" });
	await page.goto("/");
	const seen = await watchMotion(page);
	await goToMixer(page);
	await expect.poll(seen).toContain("-ua-view-transition-group-anim-mixer");
	await page.goBack();
	await expect(page.getByRole("heading", { level: 1, name: homeHeading })).toBeFocused();
});

test("going back before the picture moves shows the previous page, without an error in the console", async ({
	page,
}) => {
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

test("reduced motion disables animations and transitions", async ({ page }) => {
	await page.emulateMedia({ reducedMotion: "reduce" });
	await page.goto("/");
	const seen = await watchMotion(page);
	await page.getByRole("article").first().hover();
	await goToMixer(page);
	// with reduced motion, a slow page's progress line appears but does not grow
	expect((await seen()).filter((name) => name !== "pending")).toEqual([]);
});

test("removing an item moves the items below it, unless the shopper prefers reduced motion", async ({ page }) => {
	await page.goto("/");
	for (const title of ["The Steady Business", "Stand mixer", "Smart speaker"]) await addToBasket(page, title);
	await follow(page, "Basket, 3 items");
	await page.getByRole("heading", { name: "Your basket" }).waitFor();
	for (const [reducedMotion, moved] of [
		["no-preference", [expect.stringContaining("Smart speaker")]],
		["reduce", []],
	] as const) {
		await page.emulateMedia({ reducedMotion });
		const rows = await page.evaluate(() => {
			document.querySelector<HTMLElement>(".line-item:nth-last-child(2) button")?.click();
			const rows = document
				.getAnimations()
				.map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null));
			return rows.flatMap((row) => (row?.matches(".line-item") ? [row.textContent] : []));
		});
		expect(rows).toEqual(moved);
	}
	await expect(page.getByRole("listitem")).toHaveCount(1);
});

test("a slow page shows a progress line and sets aria-busy", async ({ page }) => {
	const answer = Promise.withResolvers<void>();
	await page.goto("/");
	await page.route("**/orders.data*", async (route) => {
		await answer.promise;
		await route.continue();
	});
	await page.getByRole("link", { name: "Returns & Orders" }).click();
	const main = page.getByRole("main");
	await expect(main).toHaveAttribute("aria-busy", "true");
	expect(await main.evaluate((element) => getComputedStyle(element, "::before").animationName)).toBe("pending");
	answer.resolve();
	await expect(page.getByRole("heading", { name: "Your Orders" })).toBeFocused();
	await expect(main).toHaveAttribute("aria-busy", "false");
});
