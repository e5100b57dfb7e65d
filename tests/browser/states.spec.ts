import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import axe from "axe-core";
import { addToBasket, expect, follow, signInOverHttp, test } from "../support/browser.ts";
import { book, homeHeading } from "../support/catalogue.ts";
import { openShop } from "../support/shop.ts";
import { states } from "../support/states.ts";

// Every page in its visual states: WCAG 2.2 AA as far as axe can check it, 1.4.4 Resize Text, 1.4.10 Reflow and 1.4.12
// Text Spacing (https://www.w3.org/TR/WCAG22/#reflow), and controls that a thumb can hit.

// the fonts are loaded from data: URLs
test.use({ bypassCSP: true });

const long = Boolean(process.env["LONG"]);

/** The states that `npm test` checks; test:long checks every state, in every mode and layout. */
const checked = [
	...["home", "product-wide", "not-found", "login-refused", "checkout", "payment", "orders", "orders-receipt"],
	...["page-failed", "sign-out-failed", "refusal"],
];

/** Font families and their packages: the widest fallback font, a font with Arial's metrics, and a narrow font. The
 *  layout must not depend on the font that a system substitutes. */
const fonts = { "DejaVu Sans": "dejavu-sans", Arimo: "arimo", "Roboto Condensed": "roboto-condensed" };
/** The browser's default font sizes in pixels: 100%, 150% and 200%. */
const fontSizes = [16, 24, 32];
const widths = [320, 390, 768, 1280];
/** Windows for texts and spacing that take more space: narrow, landscape and very wide. */
const windows = [
	[320, 640],
	[390, 780],
	[844, 390],
	[1280, 720],
	[2560, 1440],
] as const;

for (const [name, { open, refused, warning }] of Object.entries(states)) {
	if (!long && !checked.includes(name)) continue;

	test(`${name} has no axe violations, fits every window, font and text size, and has controls of 44 px`, async ({
		page,
		shop,
		expectRefusal,
		expectWarning,
	}) => {
		if (refused) expectRefusal(...refused);
		if (warning) expectWarning(warning);
		await open(page, shop);
		await test.step("axe", () => checkAccessibility(page));
		await test.step("controls on a phone", () => checkControls(page));
		await test.step("layouts", () => checkLayouts(page));
	});
}

test("a demo's notice is at the top of every page, without axe violations", async ({ page }) => {
	const words = "A demonstration: payments go to an emulator, and no card is charged. Pay with 4242 4242 4242 4242.";
	const demo = await openShop({ secrets: { DEMO: words } });
	try {
		await page.setViewportSize({ width: 320, height: 640 });
		await page.goto(demo.url.href);
		const notice = page.getByRole("complementary", { name: "Notice" });
		await expect(notice).toHaveText(words);
		await checkAccessibility(page);
		await addToBasket(page, book.title);
		await follow(page, "Basket, 1 item");
		await expect(page.getByRole("heading", { name: "Your basket" })).toBeVisible();
		await expect(notice).toHaveText(words);
		const [band, header] = [await notice.boundingBox(), await page.getByRole("banner").boundingBox()];
		expect(band?.y).toBe(0);
		expect(header?.y).toBe(band?.height);
		expect(await misplaced(page)).toEqual([]);
		await page.close();
	} finally {
		await demo.close();
	}
});

test("the greeting shows a long email in full at 1920 px", async ({ page, shop }) => {
	await page.setViewportSize({ width: 1920, height: 900 });
	const email = `firstname.lastname.of.a.long.family+${crypto.randomUUID().slice(0, 8)}@example.com`;
	await signInOverHttp(page.context(), shop, email);
	await page.goto("/");
	const greeting = page.locator(".who small");
	await expect(greeting).toContainText("@example.com");
	expect(await greeting.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Runs axe in both themes, and in a long run with forced colors. Cases that axe cannot decide, such as text over a
 *  picture, are checked manually: see `npm run screenshots`. */
async function checkAccessibility(page: Page): Promise<void> {
	await keepMessages(page);
	// axe sends messages to the instances in the frames, whose origin is opaque
	const script = `${axe.source}; axe.configure({ allowedOrigins: ["<unsafe_all_origins>"] })`;
	for (const frame of page.frames()) await frame.evaluate(script);
	const everything = { runOnly: tags };
	for (const [look, options] of [
		["light", everything],
		["dark", long ? everything : { runOnly: ["color-contrast"] }],
		...(long ? ([["forced colors", { ...everything, rules: { "color-contrast": { enabled: false } } }]] as const) : []),
	] as const) {
		// set directly, because the basket page has no theme buttons
		const theme = look === "dark" ? "dark" : "light";
		await page.evaluate((theme) => void document.documentElement.setAttribute("data-theme", theme), theme);
		await page.emulateMedia({ forcedColors: look === "forced colors" ? "active" : "none" });
		const run = `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ["violations"] })})`;
		const { violations } = await page.evaluate<axe.AxeResults>(run);
		const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => ({ id, html, target })));
		// axe treats the card input's transparent frame as white
		const isBeyondAxe = ({ id, target }: (typeof found)[number]) => id === "color-contrast" && target.length > 1;
		expect(
			found.filter((violation) => !isBeyondAxe(violation)),
			look,
		).toEqual([]);
	}
	await page.emulateMedia({ forcedColors: "none" });
}

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

/** Checks that the buttons, the fields and the links of the header and footer are at least 44 px high and wide. */
async function checkControls(page: Page): Promise<void> {
	await page.setViewportSize({ width: 390, height: 780 });
	const controls = page.locator("button, .button, label:has([type=checkbox]), :is(.bar, .foot) :is(a, input)");
	const small = await controls.evaluateAll((elements) =>
		elements.flatMap((element) => {
			const { width, height } = element.getBoundingClientRect();
			const isHidden = !element.checkVisibility() || element.matches(".skip") || width === 0;
			return isHidden || (height >= 43.5 && width >= 43.5) ? [] : [`${element.textContent}: ${width} × ${height} px`];
		}),
	);
	expect(small).toEqual([]);
}

/** Checks windows of 320 px and wider in three fonts at text sizes of up to 200 %, in German and Arabic, and with WCAG's
 *  text spacing. `npm test` checks the widest font at 150 % and 200 % in every window, and everything else in the
 *  narrowest and the widest. */
async function checkLayouts(page: Page): Promise<void> {
	await addFonts(page);
	const devtools = await page.context().newCDPSession(page);
	for (const [index, family] of Object.keys(fonts).entries()) {
		await page.evaluate((family) => document.documentElement.setAttribute("data-font", family), family);
		// Arimo is checked below, at 100 %
		for (const standard of long ? fontSizes : ([[24, 32], [], [16]][index] ?? [])) {
			await devtools.send("Page.setFontSizes", { fontSizes: { standard } });
			for (const width of long || index === 0 ? widths : [320, 1280]) {
				await page.setViewportSize({ width, height: 640 });
				expect(await misplaced(page), `${family}, ${standard} px, in a window of ${width} px`).toEqual([]);
			}
		}
	}
	await devtools.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
	await page.evaluate(() => document.documentElement.setAttribute("data-font", "Arimo"));
	for (const [change, apply] of [
		["in German", () => translate(page, "de")],
		["in Arabic", () => translate(page, "ar")],
		["with WCAG's text spacing", () => spaceText(page)],
	] as const) {
		await apply();
		for (const [width, height] of long ? windows : windows.filter(([width]) => width === 320 || width === 1280)) {
			await page.setViewportSize({ width, height });
			expect(await misplaced(page), `${change}, in a window of ${width} px`).toEqual([]);
		}
	}
}

function spaceText(page: Page): Promise<void> {
	return page.evaluate(() => {
		document.documentElement.dir = "ltr";
		document.documentElement.setAttribute("data-spacing", "");
	});
}

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
		[homeHeading]: "Sechs Dinge. Jedes einzelne mit Bedacht ausgewählt.",
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
		[homeHeading]: "ستة أشياء. كل منها اختير عن قصد.",
	},
};

/** The minimum spacing that a page must support, by WCAG 2.2, 1.4.12. */
const textSpacing = `
	[data-spacing] * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
	[data-spacing] p { margin-bottom: 2em !important; }
`;

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
			if (element.closest(".views li")) return false;
			const { left, right } = element.getBoundingClientRect();
			return left < -0.5 || right > innerWidth + 0.5;
		});
		const parts = visible.filter((element) => element.matches(".bar :is(.logo, .search, small, small + *, .basket)"));
		const overlapping = parts.filter((part) => parts.some((other) => other !== part && overlap(part, other)));
		const prices = visible.filter(
			(element) =>
				element.matches(".price, .total b") || (element.matches("td") && element.textContent.startsWith("$")),
		);
		const broken = prices.filter((element) => linesOf(element) > 1);
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
