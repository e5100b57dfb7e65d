import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";

/** Returns whether an element of the page or of a frame has the focus, so that keys go to it. */
export function hasFocus(target: Locator): Promise<boolean> {
	return target.evaluate((element) => element === element.ownerDocument.activeElement && document.hasFocus());
}

/** Presses Tab, or calls `next`, until `target` has focus. Returns the number of presses. */
export async function tabTo(page: Page, target: Locator, next = () => page.keyboard.press("Tab")): Promise<number> {
	for (let presses = 0; presses <= 60; presses++) {
		if (await hasFocus(target)) return presses;
		await next();
	}
	throw new Error("Tab did not reach the element.");
}

/** Waits until a frame's document has the width of its iframe, which a resized window changes asynchronously. */
export async function expectResized(iframe: Locator): Promise<void> {
	const width = await iframe.evaluate((element) => element.clientWidth);
	await expect(iframe.contentFrame().locator("html")).toHaveJSProperty("clientWidth", width);
}

/** Sets the browser's default font size, in pixels. */
export async function setFontSize(page: Page, standard: number): Promise<void> {
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Page.setFontSizes", { fontSizes: { standard } });
}

/** Waits until the browser has imported the code of every page, which the shop imports soon after the page has loaded.
 *  Skips files whose path matches `except`. Playwright's "networkidle" may never be reached on /payment. */
export async function waitForCode(page: Page, except = "^$"): Promise<void> {
	await page.waitForFunction((except) => {
		const imported = performance
			.getEntriesByType("resource")
			.filter((entry) => entry instanceof PerformanceResourceTiming && entry.initiatorType !== "fetch")
			.map(({ name }) => new URL(name).pathname);
		const pages: Record<string, { files: string[] }> = JSON.parse(
			document.getElementById("pages")?.textContent ?? "{}",
		);
		return Object.values(pages)
			.flatMap(({ files }) => files.slice(0, 1))
			.filter((file) => !new RegExp(except).test(file))
			.every((file) => imported.includes(file));
	}, except);
}

/** Clicks Try again until the page shows `loaded`, which an automatic retry may show first. The page ignores a click
 *  while it retries, and an automatic retry may begin just before the click. */
export async function tryAgain(page: Page, loaded: Locator): Promise<void> {
	await expect(async () => {
		await page.getByRole("button", { name: "Try again" }).or(loaded).first().click({ timeout: 5000 });
		await expect(loaded).toBeVisible({ timeout: 5000 });
	}).toPass();
}

/** Keeps the messages of the pages that are opened from now on, as while the pointer is on them. */
export async function holdMessages(context: BrowserContext): Promise<void> {
	await context.addInitScript(() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(".toast { animation-play-state: running, paused !important }");
		document.adoptedStyleSheets = [sheet];
	});
}

/** Denies localStorage to the documents that the page opens from now on. */
export async function denyLocalStorage(page: Page): Promise<void> {
	await page.addInitScript(() => {
		const get = () => {
			throw new DOMException("Denied", "SecurityError");
		};
		Object.defineProperty(window, "localStorage", { get });
	});
}

/** Accepts every alert from now on. Returns an array to which each alert's message is added. */
export function readAlerts(page: Page): string[] {
	const alerts: string[] = [];
	page.on("dialog", async (dialog) => {
		alerts.push(dialog.message());
		await dialog.accept();
	});
	return alerts;
}

/** Marks the document so that `expectNotReloaded` can detect a reload. */
export function markDocument(page: Page): Promise<unknown> {
	return page.evaluate(() => Object.assign(window, { isMarked: true }));
}

export async function expectNotReloaded(page: Page): Promise<void> {
	expect(await page.evaluate(() => Reflect.get(window, "isMarked")), "reloaded").toBe(true);
}

/** Dispatches `visibilitychange`, as a browser does when a tab becomes visible. */
export function becomeVisible(page: Page): Promise<void> {
	return page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
}
