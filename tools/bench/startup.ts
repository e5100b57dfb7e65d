// Measures how soon a page is painted and reacts to clicks after a navigation with an empty cache, on a simulated phone
// with a slow network and at full speed.
import { type Browser, chromium } from "@playwright/test";
import playwright from "../../tests/playwright.config.ts";
import { openShop } from "../../tests/support/shop.ts";
import { progress } from "../scripts/progress.ts";
import { openEdge } from "./edge.ts";
import { repetitions } from "./short.ts";
import { median, type Report } from "./table.ts";

const pages = ["/", "/product/49538094"];
const loads = repetitions(9);

/** Milliseconds since the navigation started. `click` is the effect of a click right after the first paint. */
type Times = Record<"fcp" | "lcp" | "hydrated" | "click", number>;

/** Lighthouse's simulated phone: 150 ms of latency, 1.6 Mbit/s, and a processor four times as slow. */
const phone = {
	network: { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 },
	cpu: { rate: 4 },
};

/** Loads each page nine times on each device, alternating, after one load that fills the edge's cache. Reports the
 *  medians: first and largest contentful paint, hydration, and the effect of a click on Add to Basket right after the
 *  first paint, in milliseconds. */
export async function startup(report: Report): Promise<string[]> {
	const shop = await openShop();
	const edge = await openEdge(shop.url);
	const { args = [], ...options } = playwright.use?.launchOptions ?? {};
	const browser = await chromium.launch({ ...options, args: [...args, edge.trust] });
	const begin = progress(pages.length * loads);
	for (const path of pages) {
		const url = new URL(path, edge.url).href;
		await load(browser, url, false);
		const times: Record<"phone" | "full speed", Times[]> = { phone: [], "full speed": [] };
		while (times.phone.length < loads) {
			begin(path);
			times.phone.push(await load(browser, url, true));
			times["full speed"].push(await load(browser, url, false));
		}
		for (const [device, all] of Object.entries(times)) report(`${path}, ${device}`, describe(all));
	}
	await browser.close();
	edge.close();
	await shop.close();
	return [];
}

async function load(browser: Browser, url: string, isPhone: boolean): Promise<Times> {
	const page = await browser.newPage({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 });
	await page.addInitScript(recordTimes);
	const cdp = await page.context().newCDPSession(page);
	if (isPhone) {
		await cdp.send("Network.enable");
		await cdp.send("Network.emulateNetworkConditions", phone.network);
		await cdp.send("Emulation.setCPUThrottlingRate", phone.cpu);
	}
	await page.goto(url);
	await page.waitForFunction(() => "click" in Reflect.get(window, "times"));
	const times: Times = await page.evaluate(() => Reflect.get(window, "times"));
	await page.close();
	return times;
}

/** Runs in the page before its own scripts. */
function recordTimes(): void {
	const times: Partial<Times> = {};
	Object.assign(window, { times });
	addEventListener("hydrated", () => Object.assign(times, { hydrated: performance.now() }));
	new PerformanceObserver((list) => {
		times.lcp = list.getEntries().at(-1)?.startTime;
	}).observe({ type: "largest-contentful-paint", buffered: true });
	new PerformanceObserver((list, observer) => {
		const [paint] = list.getEntriesByName("first-contentful-paint");
		const count = document.querySelector(".basket");
		const button = document.querySelector<HTMLElement>('button[aria-label^="Add to Basket"], button.main');
		if (!paint || !count || !button) return;
		observer.disconnect();
		times.fcp = paint.startTime;
		const onEffect = () => {
			times.click ??= performance.now();
		};
		new MutationObserver(onEffect).observe(count, { characterData: true, childList: true, subtree: true });
		button.click();
	}).observe({ type: "paint", buffered: true });
}

function describe(all: Times[]): string {
	const at = (name: keyof Times) => `${Math.round(median(all.map((times) => times[name])))} ms`;
	return `FCP ${at("fcp")}, LCP ${at("lcp")}, hydrated ${at("hydrated")}, early click ${at("click")}, n ${all.length}`;
}
