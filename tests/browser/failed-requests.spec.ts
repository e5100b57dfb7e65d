import type { Page, Route } from "@playwright/test";
import { deliveryAddress, pageTitle } from "#app/brand.ts";
import { expect, fetchResponse, signInOverHttp, test } from "../support/browser.ts";
import { buyNow, goodCard, payWith, typeCard } from "../support/card.ts";
import { mixer, speaker } from "../support/catalogue.ts";
import { addToBasket, checkOut, follow } from "../support/shopper.ts";
import { becomeVisible, expectNotReloaded, markDocument, waitForCode } from "../support/window.ts";

// Fault 33 of tests/faults.md: a failed router request keeps the header, the basket and the document. A failed refresh
// keeps the page on screen; a failed navigation shows an error page until the page loads. handle-failures.client.test.ts
// tests each kind of failure.

/** Links that lead from /nowhere to pages with and without data, and to the one without a header. */
const walk = [
	{ link: `More Info: ${mixer.title}`, title: mixer.title, needsData: true },
	{ link: "Basket, 1 item", title: "Your basket", needsData: false },
	{ link: "Returns & Orders", title: "Your Orders", needsData: true },
	{ link: "Sign In", title: "Sign In", needsData: false },
];

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const tryAgain = (page: Page) => page.getByRole("button", { name: "Try again" }).click();

/** Opens /nowhere with an item in the basket, and marks its document. */
async function open(page: Page): Promise<void> {
	await page.goto("/nowhere");
	await addToBasket(page, speaker.title);
	await markDocument(page);
}

/** Stops the page's clock: no request times out until the test advances it. */
async function pauseClock(page: Page): Promise<void> {
	await page.clock.install({ time: 0 });
	await page.clock.pauseAt(3_600_000);
}

/** Asserts that the document shows this page, with the basket unless the page has no header. */
async function expectPage(page: Page, title: string): Promise<void> {
	await expect(heading(page)).toContainText(title);
	await expectNotReloaded(page);
	if (new URL(page.url()).pathname === "/login") return;
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
}

test.beforeEach(({ expectWarning }) => {
	for (const complaint of ["Failed to load resource", "503 ", "404 /nowhere"]) expectWarning(complaint);
});

test("a page that was opened offline loads automatically when the browser is online", async ({ page, context }) => {
	let isOffline = false;
	// with a route, Playwright disables the HTTP cache, which would contain the styles of each page
	await page.route("**/*.css", async (route) => route.fulfill({ response: await fetchResponse(route) }));
	await page.route(/\.data/, (route) => (isOffline ? route.abort("internetdisconnected") : route.continue()));
	await open(page);
	await waitForCode(page);
	await pauseClock(page);
	for (const { link, title } of walk.filter(({ needsData }) => needsData)) {
		await test.step(link, async () => {
			isOffline = true;
			await context.setOffline(true);
			await page.waitForFunction(() => !navigator.onLine);
			await follow(page, link);
			await expectPage(page, "We can't reach the shop");
			isOffline = false;
			await context.setOffline(false);
			await expectPage(page, title);
		});
	}
});

test("failed requests for data keep the page, and replace the next one until it loads", async ({ page }) => {
	let respond = (route: Route) => route.continue();
	await page.route(/\.data/, (route) => respond(route));
	await open(page);
	await waitForCode(page);
	await pauseClock(page);
	const returnError = (route: Route) => route.fulfill({ status: 503, json: { error: { code: "unavailable" } } });
	const abort = (route: Route) => route.abort();
	for (const [step, { link, title, needsData }] of walk.entries()) {
		await test.step(link, async () => {
			const [failure, failedTitle] =
				step % 2 === 0
					? ([returnError, "Something's wrong on our end"] as const)
					: ([abort, "We can't reach the shop"] as const);
			respond = failure;
			await follow(page, link);
			await expectPage(page, needsData ? failedTitle : title);
			await expect(page).toHaveTitle(needsData ? pageTitle(failedTitle) : /./);
			respond = (route) => route.continue();
			if (needsData) await tryAgain(page);
			await expectPage(page, title);

			respond = abort;
			const failed = page.waitForEvent("requestfailed", (request) => request.url().includes(".data"));
			await becomeVisible(page);
			await failed;
			await expectPage(page, title);
		});
	}

	await test.step("a request shows a progress line, and after ten seconds an error, which each failed Try again announces again", async () => {
		const sent = page.waitForRequest(/\.data/);
		respond = async () => {};
		await follow(page, "Home");
		await sent;
		const main = page.getByRole("main");
		await expect(main).toHaveAttribute("aria-busy", "true");
		const line = await main.evaluate((element) => {
			const { animationName, animationDelay } = getComputedStyle(element, "::before");
			return { animationName, animationDelay };
		});
		expect(line).toEqual({ animationName: "pending", animationDelay: "0.15s" });
		await page.clock.fastForward(10_000);
		await expect(main).toHaveAttribute("aria-busy", "false");
		const alert = page.getByRole("alert");
		await expect(alert).toContainText("Check your connection, then try again.");

		// screen readers announce what is added to an alert
		await alert.evaluate((element) => {
			Reflect.set(window, "announcements", 0);
			const announce = () => Reflect.set(window, "announcements", Reflect.get(window, "announcements") + 1);
			new MutationObserver(announce).observe(element, { childList: true });
		});
		const announcements = () => page.evaluate(() => Reflect.get(window, "announcements"));
		respond = (route) => route.abort();
		for (const announced of [1, 2]) {
			await tryAgain(page);
			await expect.poll(announcements).toBe(announced);
			await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
		}
	});
});

test("while /orders fails, a guest who has paid sees the amount and the order's number", async ({ page }) => {
	await page.route("**/orders.data*", (route) => route.fulfill({ status: 503 }));
	await checkOut(page, speaker.title);
	await payWith(page, goodCard);
	const paid = `You paid ${speaker.price}.`;
	await expect(heading(page)).toHaveText("Something's wrong on our end");
	await expect(page.getByRole("alert")).toContainText("The shop isn't responding right now. Please try again.");
	await expect(page.getByRole("alert")).toHaveText(/ Your order number is pi_[A-Za-z0-9]{24}\.$/);
	await expect(page.getByRole("alert")).toContainText(paid);
	await test.step("Try again shows the order", async () => {
		await page.unroute("**/orders.data*");
		await tryAgain(page);
		await expect(page.getByRole("article")).toContainText(speaker.title);
	});
});

test("while D1 stalls, a customer who opens a page is neither named nor called a guest", async ({
	page,
	context,
	shop,
}) => {
	const greeting = page.getByRole("navigation", { name: "Shop" }).getByText(/Hello|Guest|Sign/);
	const { email } = await signInOverHttp(context, shop);
	await page.goto("/nowhere");
	await shop.control({ control: "timeouts", timeouts: { read: 50 } });
	await shop.control({ control: "shop_fault", service: "d1", call: "every", fault: "never", times: 1000 });
	await open(page);
	await expect(greeting).toHaveCount(0);
	await follow(page, "Basket, 1 item");
	await expectPage(page, "Your basket");
	await expect(page.locator(".greeting")).toHaveText("Hello …");
	await follow(page, "Proceed to Checkout");
	await expect(page.locator("address")).toHaveText(`…${deliveryAddress.join(", ")}`);
	await typeCard(page, goodCard);
	// the order would have no owner
	await expect(buyNow(page)).toHaveAccessibleDescription(/Preparing your payment…$/);
	await expect(buyNow(page)).toBeDisabled();
	await shop.control({ control: "calm" });
	await expect(page.locator("address")).toContainText(email);
	await expect(greeting).toHaveText([`Hello ${email}`, "Sign Out"]);
	await buyNow(page).click();
	await expectNotReloaded(page);
	await expect(page.getByRole("heading", { name: "Thank you for your order!" })).toBeVisible();
});
