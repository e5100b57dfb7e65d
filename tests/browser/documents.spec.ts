import type { Page, Route } from "@playwright/test";
import { logo } from "#app/brand.ts";
import { interceptedAdvice } from "../../app/tab/intercepted.ts";
import { expect, test } from "../support/browser.ts";
import { buyNow, goodCard, payWith, typeCard } from "../support/card.ts";
import { mixer, speaker } from "../support/catalogue.ts";
import { addToBasket, createAccount, fillBasket, follow } from "../support/shopper.ts";
import { denyLocalStorage, waitForCode } from "../support/window.ts";

// What only another document can cure: the shop loads it, and the basket is handed over. The shopper's own reload empties
// the basket. deployments.spec.ts tests newer builds, and three-d-secure.spec.ts a bank's dialog that covers the outcome.

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const basket = (page: Page, items: string) => page.getByRole("link", { name: `Basket, ${items}` });

/** Opens the home page with an item in the basket. */
async function open(page: Page): Promise<void> {
	await page.goto("/");
	await addToBasket(page, speaker.title);
}

async function expectEmptyAfterReload(page: Page): Promise<void> {
	await page.reload();
	await expect(basket(page, "0 items")).toBeVisible();
	expect(await page.evaluate(() => Object.entries(sessionStorage).join())).not.toMatch(/basket|handedOver/);
}

/** Asserts that a product's page has been loaded as a document, with the basket. */
async function expectProduct(page: Page): Promise<void> {
	await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", /\/product\//);
	await expect(basket(page, "1 item")).toBeVisible();
}

test.beforeEach(({ expectWarning }) => {
	expectWarning("Failed to load resource", "Error loading route module", "TypeError: Failed to fetch");
	expectWarning("403 /", "Connecting to 'https://portal.example/' violates");
});

test("a page whose code fails to load is opened by its document, with the basket", async ({ page }) => {
	let isBlocked = true;
	// a busy browser: React Router logs an error before it reloads the page
	await page.addInitScript(() => {
		const log = console.error.bind(console);
		console.error = (...messages) => {
			log(...messages);
			setTimeout(() => {
				const end = performance.now() + 1000;
				while (performance.now() < end);
			});
		};
	});
	await page.route(/\/assets\/(checkout|login)-.*\.js/, (route) => (isBlocked ? route.abort() : route.continue()));
	page.on("request", (request) => {
		if (request.isNavigationRequest()) isBlocked = new URL(request.url()).pathname === "/";
	});
	for (const [link, name] of Object.entries({ "Basket, 1 item": "Your basket", "Sign In": "Sign In" })) {
		await test.step(link, async () => {
			await open(page);
			await waitForCode(page, "/(checkout|login)-");
			await follow(page, link);
			await expect(heading(page, name)).toBeVisible();
			await follow(page, logo);
			// a reload while React Router imports the page's code would hand the basket over
			await expect(page).toHaveURL("/");
			await expect(basket(page, "1 item")).toBeVisible();
			await expectEmptyAfterReload(page);
		});
	}
});

test("a page whose code never loads is shown, and the next page has the basket", async ({ page, expectWarning }) => {
	expectWarning("TypeError: error loading dynamically imported module");
	await page.route(/\/assets\/checkout-.*\.js/, (route) => route.abort());
	await open(page);
	for (const _ of [1, 2]) {
		await follow(page, "Basket, 1 item");
		await expect(heading(page, "Your basket")).toBeVisible();
		await expect(page).toHaveURL("/checkout");
		await follow(page, "Returns & Orders");
		// until then, the old page shows the same basket, and the next document would discard a click on its links
		await expect(page).toHaveURL("/orders");
		await expect(basket(page, "1 item")).toBeVisible();
	}
});

const contentType = "text/html";
const challenge = (route: Route) =>
	route.fulfill({ status: 403, headers: { "cf-mitigated": "challenge" }, contentType, body: "<p>Wait</p>" });
const portal = (route: Route) => route.fulfill({ contentType, body: "<h1>Sign in to this network</h1>" });
const elsewhere = (route: Route) => route.fulfill({ status: 302, headers: { Location: "https://portal.example/" } });

for (const [name, answer] of Object.entries({ challenge, portal, elsewhere })) {
	test(`a navigation with another response (${name}) loads a document and keeps the basket`, async ({ page }) => {
		await open(page);
		await waitForCode(page);
		await page.route("**/*.data", answer);
		await follow(page, `More Info: ${mixer.title}`);
		await expectProduct(page);
		await expectEmptyAfterReload(page);
	});
}

test("a basket is kept after the session has ended, also without localStorage", async ({ page, context }) => {
	for (const isDenied of [false, true]) {
		if (isDenied) await denyLocalStorage(page);
		await page.goto("/");
		await createAccount(page);
		await open(page);
		await waitForCode(page);
		await context.clearCookies();
		await page.route("**/*.data", challenge);
		await follow(page, `More Info: ${mixer.title}`);
		await expectProduct(page);
		await page.unroute("**/*.data");
	}
});

test("a challenge of a payment's requests says so beside the button, and the loaded page can pay", async ({ page }) => {
	await fillBasket(page, speaker.title);
	const load = page.getByRole("button", { name: "Load this page" });
	for (const path of ["create", "place"]) {
		await test.step(path, async () => {
			await page.route(`**/payments/${path}*`, challenge);
			if (path === "create") await follow(page, "Proceed to Checkout");
			await typeCard(page, goodCard);
			if (path === "place") await buyNow(page).click();
			await expect(page.getByRole("alert")).toContainText(`${interceptedAdvice} You have not been charged.`);
			await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
			await page.unroute(`**/payments/${path}*`);
			await load.click();
			await expect(load).toHaveCount(0);
			await expect(basket(page, "1 item")).toBeVisible();
		});
	}
	await payWith(page, goodCard);
	await expect(page.getByRole("heading", { name: "Thank you for your order!" })).toBeVisible();
	await expect(basket(page, "0 items")).toBeVisible();
});

test("a reload while a page is loading empties the basket", async ({ page }) => {
	await open(page);
	await waitForCode(page);
	await page.route("**/*.data", async () => {});
	await follow(page, `More Info: ${mixer.title}`);
	await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
	await expectEmptyAfterReload(page);
});
