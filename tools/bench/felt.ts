// How long a click waits for what it is to change, in milliseconds from the event's own time to the changed document,
// what the browser then paints not included. Also on a processor four times as slow, as a phone may have.
import { chromium, type Locator, type Page } from "@playwright/test";
import playwright from "../../tests/playwright.config.ts";
import { addToBasket, checkOut, goodCard, typeCard } from "../../tests/support/browser.ts";
import { openShop } from "../../tests/support/shop.ts";
import type { Measured, Row } from "./table.ts";

const clicks = 30;
const purchases = 10;

/** A row for each button, at full speed and at a quarter of it. */
export async function felt(): Promise<Measured> {
	const shop = await openShop();
	const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
	const page = await browser.newPage({ baseURL: shop.url.href });
	const cdp = await page.context().newCDPSession(page);
	const rows: Row[] = [];
	for (const rate of [1, 4]) {
		await cdp.send("Emulation.setCPUThrottlingRate", { rate });
		const speed = rate === 1 ? "" : `, ${rate} times as slow`;
		rows.push([`Add to Basket${speed}`, summary(await addOften(page))]);
		rows.push([`Dark and Light${speed}`, summary(await changeTheme(page))]);
		rows.push([`Buy Now, until Processing${speed}`, summary(await buyOften(page))]);
	}
	await browser.close();
	await shop.close();
	return { rows, failures: [] };
}

async function addOften(page: Page): Promise<number[]> {
	await page.goto("/");
	await addToBasket(page, "Stand mixer");
	const button = page.getByRole("button", { name: "Add to Basket: Smart speaker" });
	return repeat(clicks, () => timeClick(button, ".basket b"));
}

async function changeTheme(page: Page): Promise<number[]> {
	const times = await repeat(clicks, async () => [
		await timeClick(page.getByRole("button", { name: "Dark" }), "html"),
		await timeClick(page.getByRole("button", { name: "Light" }), "html"),
	]);
	return times.flat();
}

function buyOften(page: Page): Promise<number[]> {
	return repeat(purchases, async () => {
		await checkOut(page, "Smart speaker");
		await typeCard(page, goodCard);
		const time = await timeClick(page.getByRole("button", { name: "Buy Now" }), "button.main");
		await page.getByRole("heading", { name: "Your Orders" }).waitFor();
		return time;
	});
}

async function repeat<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
	const results: Result[] = [];
	while (results.length < times) results.push(await work());
	return results;
}

/** Clicks, and answers how long the first element of a selector has taken to change. */
async function timeClick(button: Locator, changes: string): Promise<number> {
	const page = button.page();
	await page.evaluate((selector) => {
		const element = document.querySelector(selector);
		if (!element) throw new Error(`Nothing on this page is ${selector}.`);
		const taken = new Promise<number>((resolve) => {
			const onClick = ({ timeStamp }: Event) => {
				const observer = new MutationObserver(() => {
					observer.disconnect();
					resolve(performance.now() - timeStamp);
				});
				observer.observe(element, { attributes: true, characterData: true, childList: true, subtree: true });
			};
			addEventListener("click", onClick, { capture: true, once: true });
		});
		Object.assign(window, { taken });
	}, changes);
	await button.click();
	return page.evaluate(() => Reflect.get(window, "taken"));
}

function summary(times: number[]): string {
	const sorted = times.toSorted((a, b) => a - b);
	const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(1);
	return `p50 ${at(0.5)} ms, at most ${at(1)} ms, of ${times.length}`;
}
