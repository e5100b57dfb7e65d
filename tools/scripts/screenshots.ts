import { mkdir, rm } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { exit, readArguments } from "./arguments.ts";
import { buildIfStale } from "./build.ts";
import { progress } from "./progress.ts";

const folder = "screenshots";
const themes = ["light", "dark"] as const;

interface Mode {
	width: number;
	height: number;
	/** Changes the page in its state. */
	apply?(page: Page): Promise<unknown>;
	/** Keeps the window's height, so that the screenshot shows what is visible without scrolling. */
	isFixed?: boolean;
}

const modes: Record<string, Mode> = {
	"360": { width: 360, height: 780 },
	"768": { width: 768, height: 900 },
	"1280": { width: 1280, height: 900 },
	"1920": { width: 1920, height: 900 },
	"2560": { width: 2560, height: 1440 },
	text200: {
		width: 390,
		height: 780,
		apply: async (page) => (await import("../../tests/support/window.ts")).setFontSize(page, 32),
	},
	rtl: {
		width: 1280,
		height: 900,
		apply: (page) => page.evaluate(() => document.documentElement.setAttribute("dir", "rtl")),
	},
	landscape: { width: 844, height: 390, isFixed: true },
	print: { width: 800, height: 1100, apply: (page) => page.emulateMedia({ media: "print" }) },
};

const help = `Usage: npm run screenshots -- [WORD…]

Takes screenshots of every page in its states, at five widths and in both themes, and in modes such as enlarged text.
Saves them as ${folder}/{theme}-{width or mode}-{page}.png. With words, takes only those whose names contain them all.

Example: npm run screenshots -- home 360`;
const { positionals } = readArguments(help, {}, () => true);

// Playwright loads slowly, and the help does not need it
const [{ chromium }, { default: playwright }, { openShop }, { states }] = await Promise.all([
	import("@playwright/test"),
	import("../../tests/playwright.config.ts"),
	import("../../tests/support/shop.ts"),
	import("../../tests/support/states.ts"),
]);
const shots = themes
	.flatMap((theme) =>
		Object.entries(modes).flatMap(([mode, shape]) =>
			Object.entries(states).map(([name, open]) => ({ theme, ...shape, open, file: `${theme}-${mode}-${name}` })),
		),
	)
	.filter(({ file }) => positionals.every((word) => file.split("-").includes(word)));
if (shots.length === 0) exit(`No screenshot has this name: ${positionals.join(" ")}\n\n${help}`);

if (!(await buildIfStale())) process.exit(1);
await rm(folder, { recursive: true, force: true });
await mkdir(folder);
const shop = await openShop();
const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
const begin = progress(shots.length);
for (const { theme, width, height, apply, isFixed = false, open, file } of shots) {
	begin(file);
	const viewport = { width, height };
	const page = await browser.newPage({ baseURL: shop.url.href, colorScheme: theme, reducedMotion: "reduce", viewport });
	await open(page, shop);
	// no hover
	await page.mouse.move(0, 0);
	await apply?.(page);
	const full = await page.evaluate(() => document.documentElement.scrollHeight);
	await page.setViewportSize({ width, height: isFixed ? height : full });
	// lazy pictures would load only near the window
	await page.evaluate(() => {
		for (const image of document.images) image.loading = "eager";
	});
	await page.waitForFunction(() =>
		[...document.images].every((image) => image.complete || !image.checkVisibility({ contentVisibilityAuto: true })),
	);
	await page.screenshot({ path: `${folder}/${file}.png` });
	await page.close();
}
await browser.close();
await shop.close();
