// `npm run screenshots`: takes screenshots of every page of the built shop in its states, at four widths and in both
// themes, as screenshots/{theme}-{width}-{page}.png. Arguments filter by name: `npm run screenshots -- home 360`.
import { mkdir, rm } from "node:fs/promises";
import { chromium } from "@playwright/test";
import playwright from "../../tests/playwright.config.ts";
import { openShop } from "../../tests/support/shop.ts";
import { states } from "../../tests/support/states.ts";

const words = process.argv.slice(2);
const folder = "screenshots";
const widths = [360, 768, 1280, 1920];
const themes = ["light", "dark"] as const;

await rm(folder, { recursive: true, force: true });
await mkdir(folder);
const shop = await openShop();
const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
for (const theme of themes) {
	for (const width of widths) {
		for (const [name, { open }] of Object.entries(states)) {
			const file = `${theme}-${width}-${name}`;
			if (!words.every((word) => file.split("-").includes(word))) continue;
			const viewport = { width, height: width < 700 ? 780 : 900 };
			const page = await browser.newPage({
				baseURL: shop.url.href,
				colorScheme: theme,
				reducedMotion: "reduce",
				viewport,
			});
			await open(page, shop);
			// lazy pictures load only inside the viewport, so make it as tall as the page
			await page.setViewportSize({ width, height: await page.evaluate(() => document.documentElement.scrollHeight) });
			await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
			await page.screenshot({ path: `${folder}/${file}.png` });
			await page.close();
		}
	}
}
await browser.close();
await shop.close();
