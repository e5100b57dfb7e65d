// Measures the milliseconds from a click to the resulting DOM change, excluding paint, and to the next paint (as in INP).
// Runs at full CPU speed and, to simulate a phone, at a quarter of that speed.
import { chromium, type Locator, type Page } from "@playwright/test";
import playwright from "../../tests/playwright.config.ts";
import { addToBasket, checkOut, goodCard, typeCard } from "../../tests/support/browser.ts";
import { mixer, speaker } from "../../tests/support/catalogue.ts";
import { openShop } from "../../tests/support/shop.ts";
import { progress } from "../scripts/progress.ts";
import { repetitions } from "./short.ts";
import { median, percentile, type Report } from "./table.ts";

const clicks = repetitions(30);
const purchases = repetitions(10);

export async function felt(report: Report): Promise<string[]> {
	const shop = await openShop();
	const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
	const page = await browser.newPage({ baseURL: shop.url.href });
	const cdp = await page.context().newCDPSession(page);
	const begin = progress(2);
	for (const rate of [1, 4]) {
		begin(rate === 1 ? "full speed" : `${rate}x slower`);
		await cdp.send("Emulation.setCPUThrottlingRate", { rate });
		const speed = rate === 1 ? "" : `, ${rate}x slower`;
		report(`Add to Basket${speed}`, summary(await measureAddToBasket(page)));
		report(`Dark and Light${speed}`, summary(await measureTheme(page)));
		report(`Buy Now, until Processing${speed}`, summary(await measureBuyNow(page)));
		for (const [name, times] of await measurePaints(page)) report(`${name}, next paint${speed}`, summary(times));
	}
	await browser.close();
	await shop.close();
	return [];
}

async function measureAddToBasket(page: Page): Promise<number[]> {
	await page.goto("/");
	await addToBasket(page, mixer.title);
	const button = page.getByRole("button", { name: `Add to Basket: ${speaker.title}` });
	return repeat(clicks, () => timeClick(button, "header .basket"));
}

async function measureTheme(page: Page): Promise<number[]> {
	const times = await repeat(clicks, async () => [
		await timeClick(page.getByRole("button", { name: "Dark" }), "html"),
		await timeClick(page.getByRole("button", { name: "Light" }), "html"),
	]);
	return times.flat();
}

function measureBuyNow(page: Page): Promise<number[]> {
	return repeat(purchases, async () => {
		await checkOut(page, speaker.title);
		await typeCard(page, goodCard);
		const time = await timeClick(page.getByRole("button", { name: "Buy Now" }), "button.main");
		await page.getByRole("heading", { name: "Your Orders" }).waitFor();
		return time;
	});
}

/** Returns the milliseconds from each click to the next paint, as the browser reports them: rounded to 8 ms. Clicks
 *  below 16 ms are not reported. */
async function measurePaints(page: Page): Promise<[name: string, times: number[]][]> {
	await page.goto("/");
	await addToBasket(page, mixer.title);
	const add = page.getByRole("button", { name: `Add to Basket: ${speaker.title}` });
	const toggles = [page.getByRole("button", { name: "Dark" }), page.getByRole("button", { name: "Light" })];
	const links = [page.locator("header .basket"), page.locator("header .logo")];
	return [
		["Add to Basket", await timePaints(page, [add])],
		["Dark and Light", await timePaints(page, toggles)],
		["Basket and logo links", await timePaints(page, links)],
	];
}

/** Clicks the controls in turn. A navigation keeps the document, and so its observer. */
async function timePaints(page: Page, controls: Locator[]): Promise<number[]> {
	await page.evaluate(() => {
		const paints = new Map<number, number>();
		const observer = new PerformanceObserver((list) => {
			for (const entry of list.getEntries()) {
				// one click is several events: pointerdown, pointerup, click
				if (!(entry instanceof PerformanceEventTiming) || entry.interactionId === 0) continue;
				paints.set(entry.interactionId, Math.max(paints.get(entry.interactionId) ?? 0, entry.duration));
			}
		});
		// TypeScript's own type of the options has no durationThreshold
		const options = { type: "event", durationThreshold: 16 };
		observer.observe(options);
		Object.assign(window, { paints });
	});
	await repeat(clicks, async () => {
		for (const control of controls) await control.click();
	});
	// entries are reported after the paint
	await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve))));
	return page.evaluate(() => [...Reflect.get(window, "paints").values()]);
}

async function repeat<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
	const results: Result[] = [];
	while (results.length < times) results.push(await work());
	return results;
}

/** Clicks a button and returns the milliseconds until the first element that matches `selector` changes. */
async function timeClick(button: Locator, selector: string): Promise<number> {
	const page = button.page();
	await page.evaluate((selector) => {
		const element = document.querySelector(selector);
		if (!element) throw new Error(`No element matches ${selector}.`);
		const milliseconds = new Promise<number>((resolve) => {
			const onClick = ({ timeStamp }: Event) => {
				const observer = new MutationObserver(() => {
					observer.disconnect();
					resolve(performance.now() - timeStamp);
				});
				observer.observe(element, { attributes: true, characterData: true, childList: true, subtree: true });
			};
			addEventListener("click", onClick, { capture: true, once: true });
		});
		Object.assign(window, { milliseconds });
	}, selector);
	await button.click();
	return page.evaluate(() => Reflect.get(window, "milliseconds"));
}

function summary(times: number[]): string {
	return `p50 ${median(times).toFixed(1)} ms, max ${percentile(times, 1).toFixed(1)} ms, n ${times.length}`;
}
