// Measures the time from a click to the next paint, as in the metric INP, on a processor slowed down four times to
// simulate a phone.
import { chromium, type Page } from "@playwright/test";
import playwright from "../../tests/playwright.config.ts";
import { buyNow, goodCard, typeCard } from "../../tests/support/card.ts";
import { mixer, speaker } from "../../tests/support/catalogue.ts";
import { openShop } from "../../tests/support/shop.ts";
import { addToBasket, checkOut } from "../../tests/support/shopper.ts";
import { limits, repetitions } from "./limits.ts";
import { median, percentile, type Report } from "./table.ts";

export async function felt(report: Report): Promise<void> {
	const shop = await openShop();
	const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
	const page = await browser.newPage({ baseURL: shop.url.href });
	await page.addInitScript(recordClicks);
	await (await page.context().newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 4 });
	const button = (name: string) => page.getByRole("button", { name });

	async function measure(name: string, times: number, work: () => Promise<void>): Promise<void> {
		const paints: number[] = [];
		for (let time = 0; time < times; time++) {
			await work();
			paints.push(...(await takePaints(page)));
		}
		const [half, most] = [median(paints), percentile(paints, 1)];
		report(name, `p50 ${half} ms, max ${most} ms, n ${paints.length}`, [[limits.nextPaint, half]]);
	}

	await page.goto("/");
	await addToBasket(page, mixer.title);
	await takePaints(page);
	await measure("Add to Basket", repetitions(30), () => button(`Add to Basket: ${speaker.title}`).click());
	await measure("Dark and Light", repetitions(30), async () => {
		for (const theme of ["Dark", "Light"]) await button(theme).click();
	});
	await measure("Basket and logo links", repetitions(30), async () => {
		for (const link of [".basket", ".logo"]) await page.locator(`header ${link}`).click();
	});
	await measure("Buy Now", repetitions(10), async () => {
		await checkOut(page, speaker.title);
		await typeCard(page, goodCard);
		await takePaints(page);
		await buyNow(page).click();
		await page.getByRole("heading", { name: "Your Orders" }).waitFor();
	});
	await browser.close();
	await shop.close();
}

/** Records the milliseconds from each click to the next paint in `window.paints`. The browser rounds them to 8 ms, and
 *  reports them from 16 ms. */
function recordClicks(): void {
	const paints: number[] = [];
	Object.assign(window, { paints });
	const observer = new PerformanceObserver((list) => {
		paints.push(...list.getEntriesByName("click").map(({ duration }) => duration));
	});
	// TypeScript's own type of the options has no durationThreshold
	const options = { type: "event", durationThreshold: 16 };
	observer.observe(options);
}

/** Returns the paints since the last call. */
function takePaints(page: Page): Promise<number[]> {
	return page.evaluate(async () => {
		// entries are reported after the paint
		await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)));
		return Reflect.get(window, "paints").splice(0);
	});
}
