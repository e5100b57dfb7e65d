import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser.ts";
import { book, mixer } from "../support/catalogue.ts";
import { listen } from "../support/listen.ts";
import type { Shop } from "../support/shop.ts";
import { addToBasket } from "../support/shopper.ts";
import { waitForCode } from "../support/window.ts";

test("pages have no layout shifts on a slow network", async ({ page, shop, expectWarning }) => {
	expectWarning("404 /nothing-here");
	await using network = await openSlowNetwork(shop);
	await page.setViewportSize({ width: 360, height: 780 });
	// not /payment, where the payment provider sets the height of the card input
	const others = process.env["LONG"] ? ["/login", "/checkout", "/nothing-here"] : [];
	for (const path of ["/", "/orders", `/product/${book.id}`, ...others]) {
		await page.goto(new URL(path, network.url).href);
		await waitForCode(page);
		expect([path, await countShifts(page)]).toEqual([path, 0]);
	}
	// a control: the count includes a shift of the whole page
	await page.evaluate(() => {
		document.body.style.paddingTop = "100px";
	});
	expect(await countShifts(page)).toBeGreaterThan(0);
});

/** Counts the layout shifts since the page began to load, up to the next paint. */
function countShifts(page: Page): Promise<number> {
	return page.evaluate(async () => {
		await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
		const observer = new PerformanceObserver(() => {});
		observer.observe({ type: "layout-shift", buffered: true });
		return observer.takeRecords().length;
	});
}

test("a page is interactive before its HTML has fully arrived, and then keeps its state", async ({ page, shop }) => {
	// holds back half of the last script
	await using network = await openSlowNetwork(shop, { heldBack: 60 });
	await page.goto(network.url.href, { waitUntil: "commit" });
	await addToBasket(page, mixer.title);
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	network.release();
	await page.waitForLoadState();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
});

test("a service worker left by an earlier site is unregistered", async ({ page, context }) => {
	await context.route("**/old-worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
	await page.route("**/empty", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
	await page.goto("/empty");
	await page.evaluate(async () => {
		await navigator.serviceWorker.register("/old-worker.js");
		await navigator.serviceWorker.ready;
	});
	await page.goto("/");
	await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

/** Serves the shop's pages in chunks of 600 bytes every 40 ms, which leaves time for a paint. Holds back the last
 *  `heldBack` bytes until `release` is called. */
async function openSlowNetwork(shop: Shop, { heldBack = 0 } = {}) {
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	const server = createServer(async (request, response) => {
		const headers = { accept: request.headers.accept ?? "*/*", "accept-encoding": "identity" };
		const whole = await shop.fetch(request.url ?? "/", { headers });
		response.writeHead(whole.status, Object.fromEntries(whole.headers));
		const bytes = await whole.bytes();
		if (!whole.headers.get("Content-Type")?.startsWith("text/html")) return response.end(bytes);
		const end = bytes.length - heldBack;
		for (let start = 0; start < end; start += 600) {
			response.write(bytes.subarray(start, Math.min(start + 600, end)));
			await setTimeout(40);
		}
		if (heldBack > 0) await released;
		response.end(bytes.subarray(end));
	});
	const url = new URL(`http://localhost:${await listen(server)}`);
	return { url, release, [Symbol.asyncDispose]: async () => void server.close() };
}
