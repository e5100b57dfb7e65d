import type { Page, Route } from "@playwright/test";
import { formatMoney } from "#app/ui/money.ts";
import {
	addToBasket,
	cardField,
	checkOut,
	declinedCard,
	expect,
	follow,
	goodCard,
	hold,
	signInOverHttp,
	test,
	typeCard,
} from "../support/browser.ts";
import { book, changeProduct, products, speaker } from "../support/catalogue.ts";
import { openShop } from "../support/shop.ts";

const buyNow = (page: Page) => page.getByRole("button", { name: "Buy Now" });
const processing = (page: Page) => page.getByRole("button", { name: "Processing", exact: true });
const summary = (page: Page) => page.getByRole("complementary", { name: "Order summary" });
const field = (page: Page) => page.locator(".field");
const iframe = 'iframe[title="Secure card payment input frame"]';

async function boxOf(page: Page, selector: string) {
	const box = await page.locator(selector).boundingBox();
	if (!box) throw new Error(`${selector} is not visible.`);
	return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

test("the summary stays beside the steps in a wide window and follows them in a narrow one", async ({ page }) => {
	await page.goto("/");
	for (const { title } of products) await addToBasket(page, title);
	await follow(page, `Basket, ${products.length} items`);
	await follow(page, "Proceed to Checkout");
	const total = formatMoney(products.reduce((sum, { priceCents }) => sum + priceCents, 0));
	await expect(summary(page)).toContainText(`Items (${products.length}): ${total}`);
	await expect(summary(page)).toContainText("Delivery: $0.00");
	await expect(summary(page)).toContainText(`Order Total: ${total}`);
	await expect(buyNow(page)).toHaveCount(1);

	for (const size of [
		{ width: 1280, height: 800 },
		{ width: 390, height: 844 },
	]) {
		await page.setViewportSize(size);
		await expect(buyNow(page)).toBeInViewport({ ratio: 1 });
		await expect(page.locator(".total")).toBeInViewport({ ratio: 1 });
		const { bottom } = await boxOf(page, ".field");
		const buy = await boxOf(page, "aside.sum");
		expect(bottom).toBeLessThanOrEqual(size.width < 860 ? buy.y : size.height);
	}

	await page.setViewportSize({ width: 1280, height: 600 });
	const wide = await boxOf(page, ".sheet:has(.step)");
	expect((await boxOf(page, "aside.sum")).x).toBeGreaterThan(wide.right);
	await field(page).scrollIntoViewIfNeeded();
	await expect(summary(page)).toBeInViewport({ ratio: 1 });

	await page.setViewportSize({ width: 390, height: 600 });
	const narrow = await boxOf(page, ".sheet:has(.step)");
	expect((await boxOf(page, "aside.sum")).y).toBeGreaterThan(narrow.bottom);
	await follow(page, "Edit basket");
	await expect(page).toHaveURL("/checkout");
});

test("while the order is placed, Buy Now reads Processing and does nothing, and leaving the page is blocked", async ({
	page,
}) => {
	const sent: string[] = [];
	page.on("request", (request) => {
		if (/payments\/place|\/confirm$/.test(request.url())) sent.push(new URL(request.url()).pathname);
	});
	await checkOut(page, speaker.title);
	await typeCard(page, goodCard);
	const release = await hold(page, "**/payments/place");
	await page.mouse.move(0, 0);
	const color = await buyNow(page).evaluate((button) => getComputedStyle(button).backgroundColor);
	await buyNow(page).hover();
	await test.step("a double click and Enter place the order once, and the button keeps the focus", async () => {
		await buyNow(page).focus();
		// both clicks precede the render that disables the button
		await buyNow(page).evaluate((button: HTMLButtonElement) => {
			button.click();
			button.click();
		});
		await expect(processing(page)).toBeDisabled();
		await expect(processing(page)).toBeFocused();
		await expect(summary(page).getByRole("status")).toHaveText("Processing your payment…");
		await page.keyboard.press("Enter");
		await cardField(page, "cvc").press("Enter");
	});

	await test.step("the button keeps its color and has a spinner, which turns unless motion is reduced", async () => {
		const spinner = processing(page).locator("i");
		const turns = () => spinner.evaluate((element) => element.getAnimations().length);
		await expect(processing(page)).toHaveCSS("background-color", color);
		await expect(spinner).toBeVisible();
		expect(await turns()).toBe(0);
		await page.emulateMedia({ reducedMotion: "no-preference" });
		expect(await turns()).toBe(1);
		await page.emulateMedia({ reducedMotion: "reduce" });
	});

	await test.step("Back and links show a message, and closing the tab requires confirmation", async () => {
		await page.evaluate(() => history.back());
		await expect(page.getByText("Please stay on this page until it's done.")).toBeVisible();
		await follow(page, "Edit basket");
		const asked = page.waitForEvent("dialog");
		void page.close({ runBeforeUnload: true });
		const dialog = await asked;
		expect(dialog.type()).toBe("beforeunload");
		await dialog.dismiss();
		await expect(page).toHaveURL("/payment");
	});

	release();
	await expect(page).toHaveURL("/orders");
	expect(sent).toEqual(["/payments/place", expect.stringMatching(/\/confirm$/)]);
});

test("Buy Now says what is missing, and a declined card's message is scrolled into a phone's window", async ({
	page,
	expectRefusal,
}) => {
	expectRefusal("/stripe-emulator/v1/payment_intents/", 402);
	await page.setViewportSize({ width: 390, height: 844 });
	const release = await hold(page, "**/stripe-emulator/stripe.js");
	await checkOut(page, speaker.title);
	await expect(buyNow(page)).toHaveAccessibleDescription("The payment form is loading.");
	release();
	await expect(buyNow(page)).toHaveAccessibleDescription("Enter your card details.");
	await expect(page.getByText("Enter your card details.")).toBeVisible();
	await typeCard(page, declinedCard);
	await expect(buyNow(page)).toBeEnabled();
	await buyNow(page).evaluate((button) => button.scrollIntoView({ block: "end", behavior: "instant" }));
	await buyNow(page).click();
	await expect(page.getByText("Your card was declined.")).toBeInViewport({ ratio: 1 });
});

test("a changed price or customer is shown instead of a charge, and the next attempt pays", async ({
	page,
	shop,
	expectRefusal,
}) => {
	expectRefusal("/payments/place", 409);
	await checkOut(page, book.title);
	await typeCard(page, goodCard);
	const restoreCatalog = await changeProduct(shop, book.id, "repriced");
	const price = formatMoney(book.priceCents + 100);
	try {
		await buyNow(page).click();
		await expect(page.getByText(`by Mara Ellington now costs ${price}. You have not been charged`)).toBeVisible();
		await expect(page.getByText(`Order Total: ${price}`)).toBeVisible();

		const email = await signInOverHttp(page.context(), shop);
		await buyNow(page).click();
		await expect(page.getByText("You signed in or out in another tab. You have not been charged.")).toBeVisible();
		await expect(page.locator("address")).toContainText(email);

		await buyNow(page).click();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByRole("article")).toContainText(price);
	} finally {
		await restoreCatalog();
	}
});

test("the card input has the page's font and text size, and a placeholder of the same size while it loads", async ({
	page,
}) => {
	const devtools = await page.context().newCDPSession(page);
	for (const [width, standard, size] of [
		[1280, 16, "16px"],
		[1280, 32, "32px"],
		// a larger size would hide a part of the card number
		[390, 32, "19px"],
	] as const) {
		await test.step(`${width} pixels, text of ${standard} pixels`, async () => {
			await page.setViewportSize({ width, height: 800 });
			await devtools.send("Page.setFontSizes", { fontSizes: { standard } });
			const release = await hold(page, "**/stripe-emulator/stripe.js");
			// the load event may wait for the script
			await page.goto("/payment", { waitUntil: "commit" });
			await expect(field(page)).toHaveAttribute("aria-busy", "true");
			const loading = await field(page).boundingBox();
			release();
			await expect(field(page)).toHaveAttribute("aria-busy", "false");
			expect(await field(page).boundingBox()).toEqual(loading);
			const number = page.frameLocator(iframe).locator("[name=cardnumber]");
			await expect(number).toHaveCSS("font-size", size);
			const font = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
			await expect(number).toHaveCSS("font-family", font);
			await page.unroute("**/stripe-emulator/stripe.js");
		});
	}
});

const loadFailure = (page: Page) => page.getByText("We couldn't load the payment form. Your basket is unchanged.");
const tryAgain = (page: Page) => page.locator(".step").getByRole("button", { name: "Try again" });

/** Opens the payment page with an item in the basket and a clock that only the test advances. */
async function openPayment(page: Page, home = "/"): Promise<void> {
	await page.goto(home);
	await addToBasket(page, speaker.title);
	await follow(page, "Basket, 1 item");
	const now = Date.now();
	await page.clock.install({ time: now });
	await page.clock.pauseAt(now + 3_600_000);
	const created = page.waitForResponse("**/payments/create*");
	await follow(page, "Proceed to Checkout");
	await (await created).finished();
}

/** Advances the clock by the 20 seconds after which a script or frame that never responds has failed. */
async function expectTimeout(page: Page): Promise<void> {
	await page.clock.fastForward(19_999);
	await expect(field(page)).toHaveAttribute("aria-busy", "true");
	await page.clock.fastForward(1);
	await expect(loadFailure(page)).toBeVisible();
}

test("if the payment, its script or the card input's frame fails to load, Try again loads it, and the basket is kept", async ({
	page,
	expectRefusal,
	expectWarning,
}) => {
	const frames = "**/stripe-emulator/card-frame";
	const scripts = "**/stripe-emulator/stripe.js*";
	const message = "Too many requests from your network. You have not been charged.";
	await page.route("**/payments/create*", (route) =>
		route.fulfill({ status: 429, json: { error: { code: "too_many_requests", message } } }),
	);
	expectRefusal("/payments/create", 429);
	await page.route(scripts, (route) => route.fulfill({ status: 500 }));
	expectRefusal("/stripe-emulator/stripe.js", 500);
	expectWarning("The payment script could not be loaded.");
	await openPayment(page);
	await expect(loadFailure(page)).toBeVisible();

	await test.step("a payment that is refused", async () => {
		await expect(summary(page).getByText(message)).toBeVisible();
		await page.unroute("**/payments/create*");
		await summary(page).getByRole("button", { name: "Try again" }).click();
		await expect(summary(page).getByText(message)).toHaveCount(0);
		await expect(buyNow(page)).toHaveAccessibleDescription("The payment form couldn't be loaded.");
	});

	await test.step("a frame that is never ready", async () => {
		// the frame connects, because otherwise the emulator reports an error itself
		const body = '<script>parent.postMessage("stripe-emulator-hello", "*")</script>';
		await page.route(frames, (route) => route.fulfill({ contentType: "text/html", body }));
		await page.unroute(scripts);
		await tryAgain(page).click();
		await expect(page.frameLocator("iframe").locator("script")).toBeAttached();
		await expectTimeout(page);
	});

	await test.step("a frame that fails to load", async () => {
		expectWarning("Failed to load resource: net::ERR_FAILED");
		await page.route(frames, (route) => route.abort());
		await tryAgain(page).click();
		await expect(page.locator("iframe")).toHaveCount(1);
		await page.clock.fastForward(10_000);
		await expect(loadFailure(page)).toBeVisible();
	});

	await page.unroute(frames);
	await tryAgain(page).click();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await typeCard(page, goodCard);
	await buyNow(page).click();
	await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
});

test("Stripe's own script has 20 seconds to load; Try again requests it again, or uses it if it has loaded late", async ({
	page,
	shop,
	expectWarning,
}) => {
	expectWarning("The payment script could not be loaded.");
	const withKeys = await openShop({
		secrets: {
			STRIPE_SECRET_KEY: "sk_test_1",
			STRIPE_PUBLISHABLE_KEY: "pk_test_1",
			STRIPE_WEBHOOK_SECRET: "whsec_1",
		},
	});
	const requested: Route[] = [];
	await page.route("https://js.stripe.com/*/stripe.js*", (route) => void requested.push(route));
	await page.route("https://js.stripe.com/card-frame", () => undefined);
	await page.route("**/payments/create?*", (route) => route.fulfill({ json: { clientSecret: "pi_1_secret_1" } }));
	await openPayment(page, withKeys.url.href);
	await expect.poll(() => requested).toHaveLength(1);
	await expectTimeout(page);
	await tryAgain(page).click();
	await expect.poll(() => requested).toHaveLength(2);
	await expectTimeout(page);

	// a script of the requested version, which @stripe/stripe-js compares with its own
	const [, version] = new URL(requested[0]?.request().url() ?? "").pathname.split("/");
	const script = await (await shop.fetch("/stripe-emulator/stripe.js")).text();
	await requested[0]?.fulfill({ contentType: "text/javascript", body: `${script};Stripe.version="${version}"` });
	await page.waitForFunction(() => "Stripe" in window);
	await expect(loadFailure(page)).toBeVisible();
	await tryAgain(page).click();
	await expect(page.locator("iframe")).toHaveAttribute("src", /^https:\/\/js\.stripe\.com\//);
	expect(requested).toHaveLength(2);
	await withKeys.close();
});
