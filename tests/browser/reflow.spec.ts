import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { test as base, createAccount, expect } from "../support/browser.ts";
import { states } from "../support/states.ts";

// WCAG 2.2, 1.4.4 Resize Text, 1.4.10 Reflow and 1.4.12 Text Spacing: https://www.w3.org/TR/WCAG22/#reflow

const test = base.extend<{
	/** Opens the page in a state of states.ts. */
	openState(name: string): Promise<void>;
}>({
	openState: async ({ page, shop, expectRefusal }, use) =>
		use(async (name) => {
			const state = states[name];
			if (!state) throw new Error(`states.ts has no ${name}.`);
			if (state.refused) expectRefusal(...state.refused);
			await state.open(page, shop);
		}),
});

// the fonts are loaded from data: URLs
test.use({ bypassCSP: true });

const widths = [320, 390, 768, 1280];
/** Font families and their packages: the widest fallback font, a font with Arial's metrics, and a narrow font. The
 *  layout must not depend on the font that a system substitutes. */
const fonts = { "DejaVu Sans": "dejavu-sans", Arimo: "arimo", "Roboto Condensed": "roboto-condensed" };
/** The browser's default font sizes in pixels: 100%, 150% and 200%. */
const fontSizes = [16, 24, 32];

/** What a browser's translation makes of the longest words. */
const translations = {
	de: {
		"Sign In": "Anmelden",
		Returns: "Rücksendungen",
		"& Orders": "& Bestellungen",
		"More Info": "Weitere Informationen",
		"Add to Basket": "In den Warenkorb legen",
		"Remove from Basket": "Aus dem Warenkorb entfernen",
		"Proceed to Checkout": "Weiter zur Zahlungsabwicklung",
		"Payment method": "Zahlungsmöglichkeiten",
		"Six things. Each chosen on purpose.": "Sechs Dinge. Jedes einzelne mit Bedacht ausgewählt.",
	},
	ar: {
		"Sign In": "تسجيل الدخول",
		Returns: "المرتجعات",
		"& Orders": "والطلبات",
		"More Info": "مزيد من المعلومات",
		"Add to Basket": "أضف إلى السلة",
		"Remove from Basket": "إزالة من السلة",
		"Proceed to Checkout": "المتابعة إلى الدفع",
		"Payment method": "طريقة الدفع",
		"Six things. Each chosen on purpose.": "ستة أشياء. كل منها اختير عن قصد.",
	},
};

/** The minimum spacing that a page must support, by WCAG 2.2, 1.4.12. */
const textSpacing = `
	[data-spacing] * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
	[data-spacing] p { margin-bottom: 2em !important; }
`;

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
		openState,
	}) => {
		await openState(name);
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
		await devtools.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
		await page.evaluate(() => document.documentElement.setAttribute("data-font", "Arimo"));
		await fits(page, "in German", () => translate(page, "de"));
		await fits(page, "in Arabic", () => translate(page, "ar"));
		await fits(page, "with WCAG's text spacing", () =>
			page.evaluate(() => {
				document.documentElement.dir = "ltr";
				document.documentElement.setAttribute("data-spacing", "");
			}),
		);
	});
}

for (const name of ["home", "product", "login", "checkout", "payment", "orders-empty", "page-failed"]) {
	test(`on a phone, the buttons, the fields and the links of the header and footer of ${name} are at least 44 px high`, async ({
		page,
		openState,
	}) => {
		await page.setViewportSize({ width: 390, height: 780 });
		await openState(name);
		const controls = page.locator("button, .button, label:has([type=checkbox]), :is(.bar, .foot) :is(a, input)");
		const small = await controls.evaluateAll((elements) =>
			elements.flatMap((element) => {
				const { width, height } = element.getBoundingClientRect();
				const isHidden = !element.checkVisibility() || element.matches(".skip") || width === 0;
				return isHidden || (height >= 43.5 && width >= 43.5) ? [] : [`${element.textContent}: ${width} × ${height} px`];
			}),
		);
		expect(small).toEqual([]);
	});
}

test("the greeting shows a long email in full at 1920 px", async ({ page }) => {
	await page.setViewportSize({ width: 1920, height: 900 });
	await page.goto("/");
	await createAccount(page, `firstname.lastname.of.a.long.family+${crypto.randomUUID().slice(0, 8)}@example.com`);
	const greeting = page.locator(".who small");
	await expect(greeting).toContainText("@example.com");
	expect(await greeting.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

/** Checks the layout after a change of the page, in narrow, landscape and very wide windows. */
async function fits(page: Page, change: string, apply: () => Promise<void>): Promise<void> {
	await apply();
	for (const [width, height] of [
		[320, 640],
		[390, 780],
		[844, 390],
		[1280, 720],
		[2560, 1440],
	] as const) {
		await page.setViewportSize({ width, height });
		expect(await misplaced(page), `${change}, in a window of ${width} px`).toEqual([]);
	}
}

/** Replaces texts in the page as a browser's translation does, and sets the direction of the language. */
function translate(page: Page, language: keyof typeof translations): Promise<void> {
	return page.evaluate(
		({ language, words }) => {
			document.documentElement.lang = language;
			document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
			const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
			while (texts.nextNode()) {
				const { currentNode } = texts;
				const english = Object.entries(words).find(([text]) => text === currentNode.nodeValue?.trim());
				if (english) currentNode.nodeValue = english[1];
			}
		},
		{ language, words: language === "de" ? translations.de : inArabic },
	);
}

/** By the German words, which the page shows before it is translated into Arabic. */
const inArabic = Object.fromEntries(
	Object.entries(translations.de).map(([english, german]) => [
		german,
		Object.entries(translations.ar).find(([key]) => key === english)?.[1] ?? german,
	]),
);

/** Lists layout errors: a page that scrolls horizontally, elements beyond its edges, overlapping parts of the header,
 *  prices that wrap, marks beside their picture, and text over the products of the hero. */
function misplaced(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const { scrollWidth } = document.documentElement;
		const visible = [...document.querySelectorAll("body :not(svg *, noscript, .info span)")].filter((element) =>
			element.checkVisibility(),
		);
		const beyond = visible.filter((element) => {
			// the gallery scrolls by itself
			if (element.closest(".views li + li")) return false;
			const { left, right } = element.getBoundingClientRect();
			return left < -0.5 || right > innerWidth + 0.5;
		});
		const parts = visible.filter((element) => element.matches(".bar :is(.logo, .search, small, small + *, .basket)"));
		const overlapping = parts.filter((part) => parts.some((other) => other !== part && overlap(part, other)));
		const broken = visible.filter((element) => element.matches(".price, .total b") && linesOf(element) > 1);
		const lost = visible.filter(
			(element) => element.matches(".card .mark") && !contains(element.parentElement?.querySelector(".shelf"), element),
		);
		const covering = visible.filter((element) => element.matches(".hero :is(h1, p)") && isOverProducts(element));
		return [
			...(scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : []),
			...beyond.map((element) => `beyond the edge: ${describe(element)}`),
			...overlapping.map((element) => `overlaps: ${describe(element)}`),
			...broken.map((element) => `on two lines: ${describe(element)}`),
			...lost.map((element) => `beside its picture: ${describe(element)}`),
			...covering.map((element) => `over the products: ${describe(element)}`),
		];

		function contains(outer: Element | null | undefined, inner: Element): boolean {
			const [a, b] = [outer?.getBoundingClientRect(), inner.getBoundingClientRect()];
			return a !== undefined && a.left <= b.left && b.right <= a.right && a.top <= b.top && b.bottom <= a.bottom;
		}

		/** The first third of the hero's picture shows only a wall. */
		function isOverProducts(element: Element): boolean {
			const text = document.createRange();
			text.selectNodeContents(element);
			const { right, bottom } = text.getBoundingClientRect();
			const picture = [...document.querySelectorAll(".hero img")].find((image) => image.checkVisibility());
			const { left, top, width } = (picture ?? element).getBoundingClientRect();
			return bottom > top + 1 && right > left + width / 3;
		}

		function overlap(one: Element, other: Element): boolean {
			const [a, b] = [boxOf(one), boxOf(other)];
			const [width, height] = [
				Math.min(a.right, b.right) - Math.max(a.left, b.left),
				Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
			];
			return width > 0.5 && height > 0.5;
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
