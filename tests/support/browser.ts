import { type BrowserContext, test as base, expect, type Locator, type Page, type Route } from "@playwright/test";
import { itemCount } from "#app/ui/item-count.ts";
import { Customer } from "./customer.ts";
import { openShop, type Shop } from "./shop.ts";

interface Fixtures {
	/** Prefixes of the console messages that this test allows. */
	allowedMessages: string[];
	/** Allows console messages with these prefixes. An error response, which Chromium logs, is "404 /nowhere". */
	expectWarning(...beginnings: string[]): void;
	quietConsole: undefined;
	/** Turns off the emulator's faults after the test. */
	calmEmulator: undefined;
}

/** Playwright's `test` with one shop per worker. A test fails on any console error or warning, including
 *  Content-Security-Policy violations and hydration errors. `goto` and `reload` wait for hydration, which follows the
 *  load event, unless they are called with `waitUntil`. */
export const test = base.extend<Fixtures, { shop: Shop }>({
	shop: [
		// biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructured parameter
		async ({}, use) => {
			const shop = await openShop();
			await use(shop);
			await shop.close();
		},
		{ scope: "worker" },
	],
	baseURL: ({ shop }, use) => use(shop.url.href),
	// a click waits until the page's animations have ended; specs that buy or navigate like a shopper turn them on
	contextOptions: { reducedMotion: "reduce" },
	context: async ({ context, javaScriptEnabled }, use) => {
		if (javaScriptEnabled !== false) await followHydration(context);
		await use(context);
	},
	// biome-ignore lint/correctness/noEmptyPattern: as above
	allowedMessages: ({}, use) => use([]),
	expectWarning: ({ allowedMessages }, use) => use((...texts) => void allowedMessages.push(...texts)),
	calmEmulator: [
		async ({ shop }, use) => {
			await use(undefined);
			await shop.control({ control: "calm" });
		},
		{ auto: true },
	],
	quietConsole: [
		async ({ context, allowedMessages }, use) => {
			const messages: string[] = [];
			context.on("console", (message) => {
				if (message.type() !== "error" && message.type() !== "warning") return;
				const [, status] = /the server responded with a status of (\d+)/.exec(message.text()) ?? [];
				const { url } = message.location();
				messages.push(status ? `${status} ${URL.parse(url)?.pathname ?? url}` : message.text());
			});
			context.on("weberror", (error) => messages.push(String(error.error())));
			await use(undefined);
			const isAllowed = (message: string) =>
				allowedMessages.some((beginning) => message.startsWith(beginning)) ||
				// React preloads the styles of the next page; on a busy machine, the page uses them later than Chromium expects
				message.includes("was preloaded using link preload but not used within a few seconds");
			expect(messages.filter((message) => !isAllowed(message))).toEqual([]);
		},
		{ auto: true },
	],
});

export { expect };

/** Makes `goto` and `reload` of the context's pages wait for hydration. */
export async function followHydration(context: BrowserContext): Promise<void> {
	await context.addInitScript(() => {
		addEventListener("hydrated", () => Object.assign(window, { isHydrated: true }));
	});
	context.on("page", waitForHydration);
}

/** Makes the page's `goto` and `reload` wait for hydration. Pages without the shop's scripts never hydrate. */
function waitForHydration(page: Page): void {
	const goto = page.goto.bind(page);
	const reload = page.reload.bind(page);
	const hydrated = () =>
		page.waitForFunction(() => !document.querySelector("script[type=module]") || "isHydrated" in window);
	page.goto = async (url, options) => {
		const response = await goto(url, options);
		if (!options?.waitUntil) await hydrated();
		return response;
	};
	page.reload = async (options) => {
		const response = await reload(options);
		if (!options?.waitUntil) await hydrated();
		return response;
	};
}

/** Returns a locator for a field of the card input. The selectors also match Stripe's own frame. */
export function cardField(page: Page, name: "cardnumber" | "exp-date" | "cvc") {
	const frame = page.frameLocator('iframe[name^="__privateStripeFrame"][title="Secure card payment input frame"]');
	return frame.locator(`[name=${name}]`);
}

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

/** Fills in the card input. Tests of the keyboard type each digit. */
export async function typeCard(page: Page, number: string, expiry = "12 / 34", cvc = "123"): Promise<void> {
	await cardField(page, "cardnumber").fill(number);
	await cardField(page, "exp-date").fill(expiry);
	await cardField(page, "cvc").fill(cvc);
}

export const buyNow = (page: Page) => page.getByRole("button", { name: "Buy Now" });

/** Types the card and clicks Buy Now. */
export async function payWith(page: Page, card: string): Promise<void> {
	await typeCard(page, card);
	await buyNow(page).click();
}

export const goodCard = "4242424242424242";
export const declinedCard = "4000000000000002";

export async function addToBasket(page: Page, title: string): Promise<void> {
	// before hydration, which sets aria-pressed on a theme button, two clicks on a button add one item
	await expect(page.locator("button[aria-pressed=true]")).toHaveCount(1);
	await page.getByRole("button", { name: `Add to Basket: ${title}` }).click();
}

/** Sends a request on, and returns the response. Playwright reuses connections, which workerd closes after five idle
 *  seconds, maybe just as a request is sent. */
export const fetchResponse = (route: Route) => route.fetch({ maxRetries: 1 });

/** Clicks a link. Navigating by URL would empty the basket. */
export function follow(page: Page, name: string | RegExp) {
	return page.getByRole("link", { name }).first().click();
}

/** Creates an account through the form, keeping the basket. Returns the email. */
export async function createAccount(page: Page): Promise<string> {
	const email = `customer-${crypto.randomUUID()}@example.com`;
	await follow(page, "Sign In");
	await page.getByLabel("Email").fill(email);
	await page.getByLabel("Password").fill("correct horse battery");
	await page.getByRole("button", { name: "Create account" }).click();
	await expect(page.getByText(`Hello ${email}`)).toBeVisible();
	return email;
}

/** Signs in this browser as a new customer over HTTP, without notifying its open pages. Returns the customer, signed in on
 *  another device. */
export async function signInOverHttp(context: BrowserContext, shop: Shop): Promise<Customer> {
	const customer = new Customer(shop);
	// sets the cookie without which the form is refused
	await context.request.get("/login");
	const response = await context.request.post("/login", {
		headers: { Origin: shop.url.origin },
		form: { email: customer.email, password: customer.password, intent: "create-account" },
		maxRedirects: 0,
	});
	expect(response.status()).toBe(302);
	await customer.signIn();
	return customer;
}

/** Opens /checkout in a new document with these products in the basket. */
export async function fillBasket(page: Page, ...titles: string[]): Promise<void> {
	await page.goto("/");
	for (const title of titles) await addToBasket(page, title);
	await follow(page, `Basket, ${itemCount(titles.length)}`);
}

/** Opens the payment page in a new document with these products in the basket. */
export async function checkOut(page: Page, ...titles: string[]): Promise<void> {
	await fillBasket(page, ...titles);
	await follow(page, "Proceed to Checkout");
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

/** Holds the browser's requests for a URL until the returned function is called. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	await page.route(url, async (route) => {
		await released;
		await route.continue();
	});
	return release;
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

/** Returns the newest payment at Stripe. */
export async function newestPayment({ stripe }: Shop) {
	return (await stripe.paymentIntents.list({ limit: 1 })).data[0];
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
