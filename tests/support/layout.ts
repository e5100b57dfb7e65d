import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Locator, type Page } from "@playwright/test";
import { homeHeading } from "#app/brand.ts";
import { setFontSize } from "./window.ts";

const long = Boolean(process.env["LONG"]);

/** Font families and their packages: the widest fallback font, a narrow font, and one with Arial's metrics. The layout
 *  must not depend on the font that a system substitutes. */
const fonts = { "DejaVu Sans": "dejavu-sans", "Roboto Condensed": "roboto-condensed", Arimo: "arimo" };

/** The browser's default font sizes in pixels, and the widths of windows, that are checked with a font. In a window of
 *  335 px, the page has 320 px beside the scroll bar. */
const layouts = long
	? Object.keys(fonts).map((family) => ({ family, sizes: [16, 24, 32], widths: [335, 390, 768, 1280] }))
	: [
			{ family: "DejaVu Sans", sizes: [24, 32], widths: [335, 390, 768, 1280] },
			{ family: "Roboto Condensed", sizes: [16], widths: [335, 700, 1280] },
		];
/** The windows that are checked with texts, spacing and a direction that take more space. */
const windows = [
	{ width: 335, height: 640 },
	{ width: 1280, height: 640 },
];
if (long) windows.push({ width: 390, height: 780 }, { width: 844, height: 390 }, { width: 2560, height: 1440 });
/** The widths of windows in which the home page's text and products share the least space. */
const bannerWidths = [801, 1000, 1241];

/** Checks the layouts above, and at 100 % in Arimo a translation into German, from right to left, and with WCAG's text
 *  spacing. Checks a page with a banner in further windows. */
export async function checkLayouts(page: Page, hasBanner: boolean): Promise<void> {
	const others = hasBanner ? bannerWidths : [];
	await addFonts(page);
	const set = (name: string, value: string) =>
		page.evaluate(({ name, value }) => document.documentElement.setAttribute(name, value), { name, value });
	// the widest font leaves the banner the least space
	const banner = others.length > 0 ? [{ family: "DejaVu Sans", sizes: [16], widths: others }] : [];
	for (const { family, sizes, widths } of [...layouts, ...banner]) {
		await set("data-font", family);
		for (const standard of sizes) {
			await setFontSize(page, standard);
			for (const width of widths) {
				await page.setViewportSize({ width, height: 640 });
				expect(await misplaced(page), `${family}, ${standard} px, in a window of ${width} px`).toEqual([]);
			}
		}
	}
	await setFontSize(page, 16);
	await set("data-font", "Arimo");
	for (const [change, apply] of [
		["in German", () => translate(page)],
		["from right to left", () => set("dir", "rtl")],
		["with WCAG's text spacing", () => set("data-spacing", "")],
	] as const) {
		await apply();
		for (const { width, height } of [...windows, ...others.map((width) => ({ width, height: 640 }))]) {
			await page.setViewportSize({ width, height });
			expect(await misplaced(page), `${change}, in a window of ${width} px`).toEqual([]);
		}
	}
}

/** Windows of phones with their browser's bars, in portrait and landscape, and of a tablet and two laptops. The last
 *  narrow one is a phone whose keyboard makes the window lower. */
const devices = [
	...[[320, 454] as const, [360, 647] as const, [375, 553] as const, [393, 659] as const, [412, 785] as const],
	...[[667, 331] as const, [393, 385] as const, [844, 340] as const, [768, 1024] as const, [1024, 600] as const],
	[1366, 625] as const,
];

/** Asserts that the total and the main button are in the window wherever a page is scrolled: in a narrow window in a bar
 *  that takes less than a fifth of it. */
export async function expectBar(page: Page, button: Locator): Promise<void> {
	for (const [width, height] of devices) {
		await page.setViewportSize({ width, height });
		for (const part of [0, 0.5, 1]) {
			await page.evaluate((part) => scrollTo({ top: part * document.body.scrollHeight, behavior: "instant" }), part);
			const place = `${width} × ${height}, scrolled to ${part}`;
			await expect(button, place).toBeInViewport({ ratio: 1 });
			await expect(page.locator(".total"), place).toBeInViewport({ ratio: 1 });
		}
		const bar = await page.locator(".buy").boundingBox();
		if (width < 720) expect(bar?.height, `${width} × ${height}`).toBeLessThan(height / 5);
	}
}

/** What a browser's translation into German makes of the longest words. */
const inGerman = {
	"Sign In": "Anmelden",
	Returns: "Rücksendungen",
	"& Orders": "& Bestellungen",
	"More Info": "Weitere Informationen",
	"Add to Basket": "In den Warenkorb legen",
	"Remove from Basket": "Aus dem Warenkorb entfernen",
	"Proceed to Checkout": "Weiter zur Zahlungsabwicklung",
	"Payment method": "Zahlungsmöglichkeiten",
	[homeHeading]: "Sechs Dinge. Jedes einzelne mit Bedacht ausgewählt.",
};

/** Replaces texts in the page as a browser's translation does. */
function translate(page: Page): Promise<void> {
	return page.evaluate((inGerman) => {
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			const { currentNode } = texts;
			const german = Object.entries(inGerman).find(([text]) => text === currentNode.nodeValue?.trim());
			if (german) currentNode.nodeValue = german[1];
		}
	}, inGerman);
}

/** The minimum spacing that a page must support, by WCAG 2.2, 1.4.12. */
const textSpacing = `
	[data-spacing] * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
	[data-spacing] p { margin-bottom: 2em !important; }
`;

/** Lists layout errors, such as a page that scrolls horizontally or cards of a row that differ in height. */
export function misplaced(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const { scrollWidth, clientWidth, scrollHeight } = document.documentElement;
		const visible = [...document.querySelectorAll("body :not(svg *, .scriptless, .unseen, .unseen *)")].filter(
			(element) => element.checkVisibility(),
		);
		const select = (selector: string) => visible.filter((element) => element.matches(selector));
		const parts = select(".bar :is(.logo, .search, small, small + *, .basket)");
		const controls = select(".bar :is(a:not(.skip), button, input)");
		const words = select(".hero :is(h1, p)");
		const errors = {
			"beyond the edge": visible.filter(isBeyond),
			overlaps: parts.filter((part) => parts.some((other) => other !== part && overlap(part, other))),
			"before the preceding control": controls.filter((one, index) => precedes(one, controls[index - 1] ?? one)),
			"on two lines": select(".price, .total b").filter((element) => linesOf(element) > 1),
			"beside its picture": select(".card .mark").filter(
				(mark) => !contains(mark.parentElement?.querySelector(".shelf"), mark),
			),
			"uneven cards": select("main .row").filter(isUneven),
			"over the products": words.filter(isOverProducts),
			"beyond the hero or at its cards": words.filter(isCrowded),
			"crops the products": select(".hero img").filter(isCropped),
		};
		const footer = document.querySelector(".foot")?.getBoundingClientRect();
		const isLonger = footer !== undefined && scrollHeight > footer.bottom + scrollY + 1;
		return [
			...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []),
			...(isLonger ? [`the page is ${scrollHeight} px high, below its footer`] : []),
			...Object.entries(errors).flatMap(([error, elements]) =>
				elements.map((element) => `${error}: ${describe(element)}`),
			),
		];

		/** The gallery scrolls by itself, the greeting truncates a long email, and the banner crops its picture. */
		function isBeyond(element: Element): boolean {
			if (element.closest(".views li, .who small span, .scene picture") || element.matches(".scene ul")) return false;
			const { left, right } = element.getBoundingClientRect();
			return left < -0.5 || right > clientWidth + 0.5;
		}

		function contains(outer: Element | null | undefined, inner: Element): boolean {
			const [a, b] = [outer?.getBoundingClientRect(), inner.getBoundingClientRect()];
			return a !== undefined && a.left <= b.left && b.right <= a.right && a.top <= b.top && b.bottom <= a.bottom;
		}

		function isUneven(row: Element): boolean {
			const [first, ...others] = Array.from(row.querySelectorAll(".card"), (card) => ({
				card: card.getBoundingClientRect(),
				button: card.querySelector("button")?.getBoundingClientRect(),
			}));
			const isLike = (one: DOMRect | undefined, other: DOMRect | undefined) =>
				one?.top === other?.top && one?.height === other?.height;
			const isEven = others.every(({ card, button }) => isLike(card, first?.card) && isLike(button, first?.button));
			// in a narrow window, the cards are below each other
			return matchMedia("(width >= 45em)").matches && !isEven;
		}

		/** The first third of the hero's picture shows only a wall; so does the upper third of the tall picture on phones. */
		function isOverProducts(element: Element): boolean {
			const text = document.createRange();
			text.selectNodeContents(element);
			const { right, bottom } = text.getBoundingClientRect();
			const picture = [...document.querySelectorAll(".hero img")].find((image) => image.checkVisibility());
			const { left, top, width, height } = (picture ?? element).getBoundingClientRect();
			const wall = matchMedia("(width < 40em)").matches ? 0.36 * height : 0;
			return bottom > top + wall + 1 && right > left + width / 3;
		}

		/** The cards are pulled up over the hero's end. */
		function isCrowded(element: Element): boolean {
			const text = document.createRange();
			text.selectNodeContents(element);
			const { top, bottom } = text.getBoundingClientRect();
			const hero = element.closest(".hero")?.getBoundingClientRect();
			const card = document.querySelector(".card")?.getBoundingClientRect();
			return !hero || !card || top < hero.top || bottom > hero.bottom || bottom > card.top - 8;
		}

		/** The wide picture's last two thirds show the products. Phones show the tall picture. */
		function isCropped(image: Element): boolean {
			const { left, right, width } = image.getBoundingClientRect();
			const hero = image.closest(".hero")?.getBoundingClientRect() ?? new DOMRect();
			const isBeyond = hero.left - left > width / 3 + 1 || right > hero.right + 1;
			return matchMedia("(width >= 40em)").matches && isBeyond;
		}

		function overlap(one: Element, other: Element): boolean {
			const [a, b] = [boxOf(one), boxOf(other)];
			const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
			return width > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
		}

		/** Returns whether an element is in a row above another element, or before it in the same row. */
		function precedes(one: Element, other: Element): boolean {
			const [a, b] = [boxOf(one), boxOf(other)];
			const isRtl = document.documentElement.dir === "rtl";
			return a.bottom <= b.top || (a.top < b.bottom && (isRtl ? a.left >= b.right : a.right <= b.left));
		}

		/** Sign In and Sign Out have a padding over the greeting, so that a thumb can hit them: returns the box of the text. */
		function boxOf(element: Element): DOMRect {
			if (!element.matches(".who small + *")) return element.getBoundingClientRect();
			const text = document.createRange();
			text.selectNodeContents(element.querySelector("button") ?? element);
			return text.getBoundingClientRect();
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
	await page.addStyleTag({ content: [...rules, textSpacing].join("\n") });
	await page.evaluate(async () => void (await Promise.all([...document.fonts].map((face) => face.load()))));
}
