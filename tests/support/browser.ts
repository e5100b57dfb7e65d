import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { openShop, type Shop } from "./shop.ts";

interface Fixtures {
	/** What the console may complain of in this test. */
	foreseen: string[];
	/** Says that the browser will be answered with this status at this path, which Chromium logs as an error. */
	expectRefusal(path: string, status: number): void;
	/** Says that the console will get a message that begins so. */
	expectWarning(beginning: string): void;
	quietConsole: undefined;
	/** No test leaves a fault to the next. */
	calmEmulator: undefined;
}

/** Playwright's test with a shop of its own per worker, which fails on anything the console complains of: errors,
 *  warnings, Content-Security-Policy, hydration. */
export const test = base.extend<Fixtures, { shop: Shop }>({
	shop: [
		// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
		async ({}, use) => {
			const shop = await openShop();
			await use(shop);
			await shop.close();
		},
		{ scope: "worker" },
	],
	baseURL: ({ shop }, use) => use(shop.url.href),
	// biome-ignore lint/correctness/noEmptyPattern: as above
	foreseen: ({}, use) => use([]),
	expectRefusal: ({ foreseen }, use) => use((path, status) => void foreseen.push(`${status} ${path}`)),
	expectWarning: ({ foreseen }, use) => use((beginning) => void foreseen.push(beginning)),
	calmEmulator: [
		async ({ shop }, use) => {
			await use(undefined);
			await shop.control({ control: "calm" });
		},
		{ auto: true },
	],
	quietConsole: [
		async ({ context, foreseen }, use) => {
			const complaints: string[] = [];
			context.on("console", (message) => {
				if (message.type() !== "error" && message.type() !== "warning") return;
				const [, status] = /the server responded with a status of (\d+)/.exec(message.text()) ?? [];
				complaints.push(status ? `${status} ${pathOf(message.location().url)}` : message.text());
			});
			context.on("weberror", (error) => complaints.push(String(error.error())));
			await use(undefined);
			const isForeseen = (complaint: string) => foreseen.some((beginning) => complaint.startsWith(beginning));
			expect(complaints.filter((complaint) => !isForeseen(complaint))).toEqual([]);
		},
		{ auto: true },
	],
});

export { expect };

function pathOf(url: string): string {
	return URL.canParse(url) ? new URL(url).pathname : url;
}

/** A field of the card input, in the provider's frame: the selectors fit the real one too. */
export function cardField(page: Page, name: "cardnumber" | "exp-date" | "cvc") {
	const frame = page.frameLocator('iframe[name^="__privateStripeFrame"][title="Secure card payment input frame"]');
	return frame.locator(`[name=${name}]`);
}

/** Fills the card input as a shopper would. */
export async function typeCard(page: Page, number: string, expiry = "12 / 34", cvc = "123"): Promise<void> {
	await cardField(page, "cardnumber").fill("");
	await cardField(page, "cardnumber").pressSequentially(number);
	await cardField(page, "exp-date").fill(expiry);
	await cardField(page, "cvc").fill(cvc);
}

export const goodCard = "4242424242424242";
export const declinedCard = "4000000000000002";

export async function addToBasket(page: Page, title: string): Promise<void> {
	// a button pressed before React is there does nothing yet; one of the theme's is shown pressed from then on
	await expect(page.locator("button[aria-pressed=true]")).toHaveCount(1);
	await page.getByRole("button", { name: `Add to Basket: ${title}` }).click();
}

/** Goes somewhere by a link of the page, as the basket survives that and nothing else. */
export function follow(page: Page, name: string | RegExp) {
	return page.getByRole("link", { name }).first().click();
}

/** Creates an account with the form; the basket stays. */
export async function createAccount(page: Page, email = `shopper-${crypto.randomUUID()}@example.com`): Promise<string> {
	await follow(page, "Sign In");
	await page.getByLabel("Email").fill(email);
	await page.getByLabel("Password").fill("correct horse battery");
	await page.getByRole("button", { name: "Create account" }).click();
	await expect(page.getByText(`Hello ${email}`)).toBeVisible();
	return email;
}

/** A guest on the payment page with this in the basket. */
export async function checkOut(page: Page, title: string): Promise<void> {
	await page.goto("/");
	await addToBasket(page, title);
	await follow(page, "Basket, 1 item");
	await follow(page, "Proceed to Checkout");
}

/** Waits until the browser has imported the code of every page, except files whose path matches `except`. The shop imports
 *  it when the browser is idle. (Playwright's "networkidle" may never be reached on /payment.) */
export async function waitForCode(page: Page, except = "^$"): Promise<void> {
	await page.waitForFunction((except) => {
		const imported = performance
			.getEntriesByType("resource")
			.filter((entry) => entry instanceof PerformanceResourceTiming && entry.initiatorType !== "fetch")
			.map(({ name }) => new URL(name).pathname);
		return Object.values(window.__reactRouterManifest.routes)
			.filter(({ hasDefaultExport, module }) => hasDefaultExport && !new RegExp(except).test(module))
			.every(({ module }) => imported.includes(module));
	}, except);
}

/** Presses Try again, unless the page has loaded by itself, as `loaded` shows. */
export function tryAgain(page: Page, loaded: Locator): Promise<void> {
	return page.getByRole("button", { name: "Try again" }).or(loaded).first().click();
}

/** Holds back the browser's requests for a URL until the returned function is called. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	await page.route(url, async (route) => {
		await released;
		await route.continue();
	});
	return release;
}
