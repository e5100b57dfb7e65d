import type { Page } from "@playwright/test";
import axe from "axe-core";
import { otherProducts } from "#app/brand.ts";
import playwright from "../playwright.config.ts";
import { expect, test } from "../support/browser.ts";
import { checkLayouts, misplaced } from "../support/layout.ts";
import { insertRow } from "../support/seed-data.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { states, warnings } from "../support/states.ts";

// Every page in its visual states: WCAG 2.2 AA as far as axe can check it, 1.4.4 Resize Text, 1.4.10 Reflow and 1.4.12
// Text Spacing (https://www.w3.org/TR/WCAG22/#reflow), controls that a thumb can hit, and what a screen reader finds.
// TRANSCRIBE=1 npm test -- tests/browser/states.spec.ts rewrites tests/transcripts.

// the fonts are loaded from data: URLs
test.use({ bypassCSP: true });
// classic scroll bars, which take space from the page, as in Firefox and on Windows; headless Chromium hides them
test.use({ launchOptions: { ...playwright.use?.launchOptions, ignoreDefaultArgs: ["--hide-scrollbars"] } });

const long = Boolean(process.env["LONG"]);

/** The states that `npm test` checks; test:long checks all, in every layout and window. */
const checked = [
	...["home", "product-wide", "not-found", "login-refused", "checkout", "payment", "orders", "orders-receipt"],
	...["page-failed", "sign-out-failed", "refusal", "product-sold-out", "product-picture"],
];

/** The part of a page that its transcript describes. The other pages have the header, footer and cards of the home page. */
const transcribed: Record<string, string> = {
	home: "body",
	...{ "login-refused": "main", checkout: "main", payment: "main", orders: "main", "page-failed": "main" },
};

for (const [name, open] of Object.entries(states)) {
	if (!long && !checked.includes(name)) continue;

	test(`${name} has no axe violations and fits every window and text size`, async ({ page, shop, expectWarning }) => {
		expectWarning(...(warnings[name] ?? []));
		await open(page, shop);
		const part = transcribed[name];
		if (part) await checkTranscript(page, part, name);
		if (process.env["TRANSCRIBE"]) return;
		await test.step("axe", () => checkAccessibility(page));
		await test.step("controls on a phone", () => checkControls(page));
		await test.step("layouts", () => checkLayouts(page, name === "home"));
	});
}

test("a demo's notice is at the top of the page, above the header, without axe violations", async ({ page }) => {
	const words = "This is a demo: no card is charged. Pay with 4242 4242 4242 4242.";
	const demo = await openShop({ secrets: { DEMO: words } });
	try {
		await page.setViewportSize({ width: 320, height: 640 });
		await page.goto(demo.url.href);
		const notice = page.getByRole("complementary", { name: "Notice" });
		await expect(notice).toHaveText(words);
		await checkAccessibility(page);
		const [band, header] = [await notice.boundingBox(), await page.getByRole("banner").boundingBox()];
		expect(band?.y).toBe(0);
		expect(header?.y).toBe(band?.height);
		expect(await misplaced(page)).toEqual([]);
		await page.close();
	} finally {
		await demo.close();
	}
});

test("a shop with 1 to 30 products fits every window", async ({ page, shop, expectWarning }) => {
	// a copy may have no wide picture
	expectWarning("404 /pictures/");
	const { results: rows } = await shop.d1.prepare("select * from products order by position").all();
	try {
		for (const count of [30, 8, 4, 2, 1]) {
			await test.step(`the home page with ${count}`, async () => {
				await storeProducts(shop, rows, count);
				await page.goto("/");
				await expect(page.getByRole("article")).toHaveCount(count);
				for (const width of [335, 768, 1280, 2560]) {
					await page.setViewportSize({ width, height: 640 });
					expect(await misplaced(page), `in a window of ${width} px`).toEqual([]);
				}
			});
			if (count > 2) continue;
			await test.step(`the pictures of ${count}`, async () => {
				const first = page.locator(".card").first();
				await expect(first.locator("img")).not.toHaveJSProperty("naturalWidth", 0);
				await first.getByRole("link").click();
				const others = page.getByRole("navigation", { name: otherProducts });
				await expect(page.locator(".gallery")).toBeVisible();
				await expect(others).toHaveCount(count - 1);
				for (const picture of await others.locator("img").all()) {
					expect((await picture.boundingBox())?.height).toBeLessThan(640);
				}
			});
		}
	} finally {
		await storeProducts(shop, rows, rows.length);
	}
});

/** Stores this many products: those of the shop, and copies of the last. */
async function storeProducts({ d1, advance }: Shop, rows: Record<string, unknown>[], count: number): Promise<void> {
	const copy = (index: number) => ({ ...rows.at(-1), id: `copy-${index}`, position: 100 + index });
	const stored = Array.from({ length: count }, (_, index) => rows[index] ?? copy(index));
	await d1.batch([d1.prepare("delete from products"), ...stored.map((row) => insertRow(d1, "products", row))]);
	// no cache keeps the catalog for longer
	await advance(70);
}

/** Checks the roles, names and states of what a part of a page contains, in reading order. A placeholder replaces each
 *  order id and number, email and date. */
async function checkTranscript(page: Page, part: string, name: string): Promise<void> {
	await expect(page.locator(".toast")).toHaveCount(0);
	const transcript = `${await page.locator(part).ariaSnapshot()}\n`
		.replaceAll(/\bpi_\w+/g, "{order}")
		.replaceAll(/(?<=Order number )\w+/g, "{number}")
		.replaceAll(/[\w.+-]+@[\w.-]+\.\w+/g, "{email}")
		.replaceAll(/[A-Z][a-z]+ \d+(st|nd|rd|th) \d{4}, \d+:\d\d[ap]m/g, "{date}");
	expect.soft(transcript).toMatchSnapshot(`${name}.txt`);
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Runs axe in both themes. Cases that axe cannot decide, such as text over a picture, are checked manually: see
 *  `npm run screenshots`. */
async function checkAccessibility(page: Page): Promise<void> {
	await keepMessages(page);
	// axe sends messages to the instances in the frames, whose origin is opaque
	const script = `${axe.source}; axe.configure({ allowedOrigins: ["<unsafe_all_origins>"] })`;
	for (const frame of page.frames()) await frame.evaluate(script);
	for (const [theme, runOnly] of Object.entries({ light: tags, dark: long ? tags : ["color-contrast"] })) {
		// set directly, because the basket page has no theme buttons
		await page.evaluate((theme) => {
			document.documentElement.setAttribute("data-theme", theme);
			dispatchEvent(new Event("theme"));
		}, theme);
		const run = `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ["violations"] })})`;
		const { violations } = await page.evaluate<axe.AxeResults>(run);
		const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => ({ id, html, target })));
		// axe treats the card input's transparent frame as white
		const isBeyondAxe = ({ id, target }: (typeof found)[number]) => id === "color-contrast" && target.length > 1;
		expect(
			found.filter((violation) => !isBeyondAxe(violation)),
			theme,
		).toEqual([]);
	}
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
