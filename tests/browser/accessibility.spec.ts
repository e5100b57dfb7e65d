import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { states } from "../support/states.ts";

// WCAG 2.2 AA, as far as axe can check: https://github.com/dequelabs/axe-core/blob/develop/doc/API.md#axe-core-tags

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Display modes of an open page. Cases that axe cannot decide, such as text over a picture, are checked manually: see
 *  `npm run screenshots`. */
const looks: Record<string, (page: Page) => Promise<unknown>> = {
	light: (page) => choose(page, "light"),
	dark: (page) => choose(page, "dark"),
	"forced colors": async (page) => {
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

/** Sets the theme directly, because the basket page has no theme buttons. */
function choose(page: Page, theme: string) {
	return page.evaluate((theme) => void document.documentElement.setAttribute("data-theme", theme), theme);
}

/** The states that `npm test` checks, in light and dark; test:long checks every state in every mode. */
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

/** Ends the fade-in of a message and stops its fade-out, because axe measures the contrast of half-transparent text. */
function keepMessages(page: Page) {
	return page.evaluate(() => {
		for (const animation of document.getAnimations()) {
			if (!(animation instanceof CSSAnimation)) continue;
			if (animation.animationName === "entering") animation.finish();
			if (animation.animationName !== "passing") continue;
			animation.pause();
			animation.currentTime = 0;
		}
	});
}

/** Returns whether axe misjudges an element's colors: axe reads the original colors in place of forced colors, and
 *  treats the card input's transparent frame as white. */
function isBeyondAxe(look: string, target: unknown[]): boolean {
	return look === "forced colors" || target.length > 1;
}

for (const [name, { open, refused, warning }] of Object.entries(states)) {
	if (!long && !pages.includes(name)) continue;

	test(`${name} has no axe violations and no horizontal overflow`, async ({
		page,
		shop,
		expectRefusal,
		expectWarning,
	}) => {
		if (refused) expectRefusal(...refused);
		if (warning) expectWarning(warning);
		await open(page, shop);
		for (const [look, see] of Object.entries(looks).slice(0, long ? undefined : 2)) {
			await see(page);
			await keepMessages(page);
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
