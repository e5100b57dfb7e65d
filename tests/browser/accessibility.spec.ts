import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { states } from "../support/states.ts";

// WCAG 2.2 AA, as far as a program can tell: https://github.com/dequelabs/axe-core/blob/develop/doc/API.md#axe-core-tags

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Ways to look at a page that is open. What axe may only suspect (text over a picture) is for the eye: see `npm run
 *  screenshots`. */
const looks: Record<string, (page: Page) => Promise<unknown>> = {
	light: (page) => choose(page, "light"),
	dark: (page) => choose(page, "dark"),
	"forced colours": async (page) => {
		await choose(page, "light");
		await page.emulateMedia({ forcedColors: "active" });
	},
	"320 px": async (page) => {
		await page.emulateMedia({ forcedColors: "none" });
		await page.setViewportSize({ width: 320, height: 640 });
	},
	"200 % text": async (page) => {
		await page.setViewportSize({ width: 1280, height: 720 });
		await page.evaluate(() => {
			document.documentElement.style.fontSize = "200%";
		});
	},
};

/** As the theme's buttons do, which the basket does not have. */
function choose(page: Page, theme: string) {
	return page.evaluate((theme) => void document.documentElement.setAttribute("data-theme", theme), theme);
}

/** What `npm test` looks at, in light and in dark; test:long sees everything in every way. */
const pages = [
	"home",
	"product",
	"not-found",
	"login",
	"checkout",
	"payment",
	"orders",
	"page-failed",
	"sign-out-failed",
	"refusal",
];
const long = Boolean(process.env["LONG"]);

/** Whether axe is wrong about colours: with forced colours it reads those that the browser has replaced, and a card
 *  input's frame, which is transparent, it takes for white. */
function isBeyondAxe(look: string, target: unknown[]): boolean {
	return look === "forced colours" || target.length > 1;
}

for (const [name, { open, refused }] of Object.entries(states)) {
	if (!long && !pages.includes(name)) continue;

	test(`${name} has nothing for axe to find, in any look`, async ({ page, shop, expectRefusal }) => {
		if (refused) expectRefusal(...refused);
		await open(page, shop);
		for (const [look, see] of Object.entries(looks).slice(0, long ? undefined : 2)) {
			await see(page);
			const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
			const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => ({ id, html, target })));
			expect(
				found.filter(({ id, target }) => id !== "color-contrast" || !isBeyondAxe(look, target)),
				look,
			).toEqual([]);
			expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), look).toBeLessThanOrEqual(0);
		}
	});
}
