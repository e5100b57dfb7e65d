import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { states } from "../support/states.ts";

// WCAG 2.2, 1.4.4 Resize Text and 1.4.10 Reflow: https://www.w3.org/TR/WCAG22/#reflow

// the fonts are loaded from data: URLs
test.use({ bypassCSP: true });

const widths = [320, 390, 768, 1280];
/** Font families and their packages: the widest fallback font, a font with Arial's metrics, and a narrow font. The
 *  layout must not depend on the font that a system substitutes. */
const fonts = { "DejaVu Sans": "dejavu-sans", Arimo: "arimo", "Roboto Condensed": "roboto-condensed" };
/** The browser's default font sizes in pixels: 100%, 150% and 200%. */
const fontSizes = [16, 24, 32];

for (const name of [
	"home",
	"product",
	"not-found",
	"login-refused",
	"checkout",
	"payment",
	"orders",
	"orders-receipt",
]) {
	test(`${name} fits windows of 320 px and wider in three fonts and at text sizes of up to 200%`, async ({
		page,
		shop,
		expectRefusal,
	}) => {
		const state = states[name];
		if (!state) throw new Error(`states.ts has no ${name}.`);
		if (state.refused) expectRefusal(...state.refused);
		await state.open(page, shop);
		await addFonts(page);
		const devtools = await page.context().newCDPSession(page);
		for (const family of Object.keys(fonts)) {
			await page.evaluate((family) => document.documentElement.setAttribute("data-font", family), family);
			for (const standard of fontSizes) {
				await devtools.send("Page.setFontSizes", { fontSizes: { standard } });
				for (const width of widths) {
					await page.setViewportSize({ width, height: 640 });
					expect(await misplaced(page), `${family}, ${standard} px, in a window of ${width} px`).toEqual([]);
				}
			}
		}
	});
}

/** Lists layout errors: a page that scrolls horizontally, elements beyond its edges, overlapping parts of the header,
 *  and prices that wrap. */
function misplaced(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const { scrollWidth } = document.documentElement;
		const visible = [...document.querySelectorAll("body :not(svg *, noscript, .info span)")].filter((element) =>
			element.checkVisibility(),
		);
		const beyond = visible.filter((element) => {
			const { left, right } = element.getBoundingClientRect();
			return left < -0.5 || right > innerWidth + 0.5;
		});
		const parts = visible.filter((element) => element.matches(".bar :is(.logo, .search, small, small + *, .basket)"));
		const overlapping = parts.filter((part) => parts.some((other) => other !== part && overlap(part, other)));
		const broken = visible.filter((element) => element.matches(".price, .total b") && linesOf(element) > 1);
		return [
			...(scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : []),
			...beyond.map((element) => `beyond the edge: ${describe(element)}`),
			...overlapping.map((element) => `overlaps: ${describe(element)}`),
			...broken.map((element) => `on two lines: ${describe(element)}`),
		];

		function overlap(one: Element, other: Element): boolean {
			const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
			const [width, height] = [
				Math.min(a.right, b.right) - Math.max(a.left, b.left),
				Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
			];
			return width > 0.5 && height > 0.5;
		}

		function linesOf(element: Element): number {
			const text = document.createRange();
			text.selectNodeContents(element);
			return new Set([...text.getClientRects()].map(({ top }) => top)).size;
		}

		function describe(element: Element): string {
			return `<${element.localName} class="${element.getAttribute("class") ?? ""}"> ${element.textContent.slice(0, 40)}`;
		}
	});
}

/** Adds all font families to the page. The root's data-font attribute selects the family in use. */
async function addFonts(page: Page): Promise<void> {
	const require = createRequire(import.meta.url);
	const rules = Object.entries(fonts).flatMap(([family, name]) => [
		`[data-font="${family}"] * { font-family: "${family}" !important; }`,
		...[400, 700].map((weight) => {
			const file = require.resolve(`@fontsource/${name}/files/${name}-latin-${weight}-normal.woff2`);
			const source = `url(data:font/woff2;base64,${readFileSync(file, "base64")})`;
			return `@font-face { font-family: "${family}"; font-weight: ${weight}; src: ${source}; }`;
		}),
	]);
	await page.addStyleTag({ content: rules.join("\n") });
	await page.evaluate(async () => void (await Promise.all([...document.fonts].map((face) => face.load()))));
}
