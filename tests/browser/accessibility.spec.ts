import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { states } from "../support/states.ts";

// WCAG 2.2 AA, as far as a program can tell: https://github.com/dequelabs/axe-core/blob/develop/doc/API.md#axe-core-tags

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Ways to look at a page. What axe may only suspect (text over a picture) is for the eye: see `npm run screenshots`. */
const looks: Record<string, (page: Page) => Promise<unknown>> = {
	light: (page) => page.emulateMedia({ colorScheme: "light" }),
	dark: (page) => page.emulateMedia({ colorScheme: "dark" }),
	"forced colours": (page) => page.emulateMedia({ forcedColors: "active" }),
	"320 px": (page) => page.setViewportSize({ width: 320, height: 640 }),
	"200 % text": (page) =>
		page.addInitScript(() => {
			document.addEventListener("DOMContentLoaded", () => {
				document.documentElement.style.fontSize = "200%";
			});
		}),
};
const pages = ["home", "product", "not-found", "login", "checkout", "payment", "orders"];

/** Whether axe is wrong about colours: with forced colours it reads those that the browser has replaced, and a card
 *  input's frame, which is transparent, it takes for white. */
function isBeyondAxe(look: string, target: unknown[]): boolean {
	return look === "forced colours" || target.length > 1;
}

for (const [look, see] of Object.entries(looks)) {
	for (const [name, { open, refused }] of Object.entries(states)) {
		// npm run test:long sees everything in every way
		const isShort = (look === "light" || look === "dark") && pages.includes(name);
		if (!isShort && !process.env["LONG"]) continue;

		test(`${name} has nothing for axe to find in ${look}`, async ({ page, shop, expectRefusal }) => {
			if (refused) expectRefusal(...refused);
			await see(page);
			await open(page, shop);
			const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
			const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => ({ id, html, target })));
			expect(found.filter(({ id, target }) => id !== "color-contrast" || !isBeyondAxe(look, target))).toEqual([]);
			expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
		});
	}
}
