import { type BrowserContext, test as base, expect, type Page, type Route } from "@playwright/test";
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

/** Sends a request on, and returns the response. Playwright reuses connections, which workerd closes after five idle
 *  seconds, maybe just as a request is sent. */
export const fetchResponse = (route: Route) => route.fetch({ maxRetries: 1 });

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

/** Holds the browser's requests for a URL until the returned function is called. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	await page.route(url, async (route) => {
		await released;
		await route.continue();
	});
	return release;
}
