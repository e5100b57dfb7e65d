import type { Locator, Page, Route } from "@playwright/test";
import { deliveryPrice } from "#app/brand.ts";
import { shortName } from "#app/catalogue/product.ts";
import { apiVersion } from "#app/payments/stripe-api.server.ts";
import { basketTotal } from "#app/tab/basket.ts";
import { formatMoney } from "#app/ui/money.ts";
import { expect, fetchResponse, hold, signInOverHttp, test } from "../support/browser.ts";
import { buyNow, cardField, declinedCard, goodCard, payWith, typeCard } from "../support/card.ts";
import { book, changeProduct, products, speaker } from "../support/catalogue.ts";
import { expectBar } from "../support/layout.ts";
import { newestPayment, openShop } from "../support/shop.ts";
import { checkOut, fillBasket, follow } from "../support/shopper.ts";
import { becomeVisible, expectResized, hasFocus, setFontSize, tabTo } from "../support/window.ts";

const processing = (page: Page) => page.getByRole("button", { name: "Processing", exact: true });
const summary = (page: Page) => page.getByRole("complementary", { name: "Order summary" });
const field = (page: Page) => page.locator("[aria-busy].field");

async function boxOf(part: Locator) {
	const box = await part.boundingBox();
	if (!box) throw new Error(`${part} is not visible.`);
	return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

async function expectAboveBar(part: Locator): Promise<void> {
	const bar = await boxOf(part.page().locator(".buy"));
	await expect.poll(async () => (await boxOf(part)).bottom).toBeLessThanOrEqual(bar.y);
}

test("Buy Now says what is missing, and leads to the card input", async ({ page, expectWarning }) => {
	expectWarning("402 /stripe-emulator/v1/payment_intents/");
	const bought = [...products.slice(0, 6), speaker];
	const count = `${bought.length} items`;
	const total = formatMoney(basketTotal(bought));
	const placed: string[] = [];
	page.on("request", (request) => request.url().endsWith("/payments/place") && placed.push(request.url()));
	const release = await hold(page, "**/stripe-emulator/stripe.js");
	await fillBasket(page, ...bought.map(({ title }) => title));
	await page.getByRole("listitem").getByRole("link", { name: speaker.title }).first().click();
	await expect(page).toHaveURL(`/product/${speaker.id}`);
	await follow(page, `Basket, ${count}`);
	await page.getByRole("checkbox", { name: "This order contains a gift" }).check();
	await expectTotal(summary(page), `Subtotal (${count}): ${total}`);
	await test.step("the subtotal and Proceed to Checkout are in every window, on a phone in a bar", async () => {
		const initial = page.viewportSize() ?? { width: 1280, height: 720 };
		await expectBar(page, page.getByRole("link", { name: "Proceed to Checkout" }));
		await page.setViewportSize(initial);
	});
	await follow(page, "Proceed to Checkout");
	await expectTotal(summary(page), `Order Total: ${total}`);
	await expect(page.getByText(`Delivery: ${deliveryPrice}`)).toBeVisible();
	await test.step("the items are listed with their picture, quantity, title and price, without buttons", async () => {
		const lines = page.getByRole("listitem");
		await expect(lines).toHaveCount(bought.length - 1);
		for (const { title, price, priceCents } of products.slice(0, 6)) {
			const line = lines.filter({ has: page.getByRole("link", { name: shortName(title) }) });
			const isTwice = title === speaker.title;
			await expect(line.locator("img")).toHaveAttribute("src", /^\/pictures\//);
			await expect(line.getByText(isTwice ? "Quantity: 2" : "Quantity: 1", { exact: true })).toBeVisible();
			await expect(line).toContainText(isTwice ? `${price} each${formatMoney(2 * priceCents)}` : price);
		}
		await expect(lines.getByRole("button")).toHaveCount(0);
	});
	await expect(buyNow(page)).toHaveCount(1);
	await expect(buyNow(page)).toHaveAccessibleDescription(`Order Total: ${total} The payment form is loading.`);
	release();
	await expect(buyNow(page)).toHaveAccessibleDescription(/Enter your card details\.$/);
	await expect(page.getByRole("status").filter({ hasText: "Enter your card details." })).toBeVisible();
	// a key goes to the frame that has the focus, which changes asynchronously
	await cardField(page, "cvc").click();
	await expect.poll(() => hasFocus(cardField(page, "cvc"))).toBe(true);
	await tabTo(page, buyNow(page));
	await page.keyboard.press("Enter");
	await expect(cardField(page, "cardnumber")).toBeFocused();
	await test.step("the total and Buy Now are in every window, on a phone in a bar", () =>
		expectBar(page, buyNow(page)));
	await test.step("the focused card input is above the bar, with and without a keyboard that makes the window lower", async () => {
		for (const height of [659, 385]) {
			await page.setViewportSize({ width: 393, height });
			await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
			await cardField(page, "exp-date").focus();
			await cardField(page, "cardnumber").focus();
			await expectAboveBar(field(page));
			expect((await boxOf(field(page))).y).toBeGreaterThanOrEqual(0);
		}
	});
	await test.step("the summary is beside the card input, or below it in a narrow window", async () => {
		await page.setViewportSize({ width: 1280, height: 600 });
		expect((await boxOf(summary(page))).x).toBeGreaterThan((await boxOf(field(page))).right);
		await field(page).scrollIntoViewIfNeeded();
		await expect(summary(page)).toBeInViewport({ ratio: 1 });

		await page.setViewportSize({ width: 320, height: 256 });
		expect((await boxOf(page.locator(".buy"))).y).toBeGreaterThan((await boxOf(field(page))).bottom);
	});
	await test.step("a card that is entered during the confirmation of a declined one is not marked", async () => {
		const decline = await hold(page, "**/confirm");
		const confirmation = page.waitForRequest("**/confirm");
		await typeCard(page, declinedCard);
		await buyNow(page).click();
		await confirmation;
		await cardField(page, "cardnumber").fill("4242");
		decline();
		await expect(page.getByText("Your card was declined.")).toBeVisible();
		await expect(field(page)).toHaveCSS("border-top-width", "1px", { timeout: 5000 });
	});
	await test.step("a declined card is marked until it changes, and its message scrolls into a phone's window, above the bar", async () => {
		await page.setViewportSize({ width: 390, height: 500 });
		await typeCard(page, declinedCard);
		await expect(buyNow(page)).toBeEnabled();
		await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
		await buyNow(page).click();
		const message = page.getByText("Your card was declined.");
		await expectAboveBar(message);
		await expect(message).toBeInViewport({ ratio: 1 });
		await expect(field(page)).toHaveCSS("border-top-width", "2px");
		await cardField(page, "cardnumber").fill("4242");
		await expect(field(page)).toHaveCSS("border-top-width", "1px");
		await expect(message).toBeHidden();
	});
	await test.step("a press that takes the focus from an incomplete card does not scroll the page, so that it is a click", async () => {
		await page.getByRole("link", { name: "Edit basket" }).hover();
		await page.mouse.down();
		await expect(page.getByText("Your card number is incomplete.")).toBeVisible();
		await page.mouse.up();
		await expect(page).toHaveURL("/checkout");
	});
	expect(placed, "only with a complete card").toHaveLength(2);
});

for (const count of [1, 3, 6]) {
	test(`with ${count} different items, the card input is in the first window`, async ({ page }) => {
		const bought = products.slice(0, count);
		const folded = bought.slice(3);
		await checkOut(page, ...bought.map(({ title }) => title));
		await expect(field(page)).toHaveAttribute("aria-busy", "false");
		await expect(page.locator("h2")).toHaveText(["Delivery address", "Review items", "Payment method"]);
		for (const [width, height] of [[1366, 625] as const, [1440, 900] as const, [768, 1024] as const]) {
			await page.setViewportSize({ width, height });
			const windows = `${width} × ${height}`;
			await expect(field(page), windows).toBeInViewport({ ratio: 1 });
			await expect(buyNow(page), windows).toBeInViewport({ ratio: 1 });
			await expect(page.getByRole("listitem"), windows).toHaveCount(bought.length);
			await expect(page.locator("summary"), windows).toBeHidden();
			expect((await boxOf(page.getByRole("listitem").first())).x).toBeGreaterThan((await boxOf(field(page))).right);
		}
		await test.step("on a phone, above the bar, and further items are folded", async () => {
			await page.setViewportSize({ width: 390, height: 659 });
			await expectAboveBar(field(page));
			await expect(page.getByRole("listitem")).toHaveCount(bought.length - folded.length);
			if (folded.length === 0) return;
			await page.getByText(`${folded.length} more item`).click();
			await expect(page.getByRole("listitem")).toHaveCount(bought.length);
		});
	});
}

/** Asserts that a total is copied as this text, and that its label and its price are at the ends of its line. */
async function expectTotal(sheet: Locator, text: string): Promise<void> {
	const total = sheet.locator(".total", { hasText: text });
	await expect(total).toBeVisible();
	const [copied, before, after] = await total.evaluate((element) => {
		const selection = getSelection();
		selection?.selectAllChildren(element);
		const label = selection?.getRangeAt(0).getClientRects()[0];
		const price = element.querySelector(".price")?.getBoundingClientRect();
		const line = element.getBoundingClientRect();
		return [String(selection).trim(), (label?.left ?? 0) - line.left, line.right - (price?.right ?? 0)];
	});
	expect.soft(copied).toBe(text);
	expect(before).toBeCloseTo(0, 0);
	expect(after).toBeCloseTo(0, 0);
}

test("while the order is placed, Buy Now reads Processing, and leaving the page is blocked", async ({ page }) => {
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
		await expect(page.locator("#status")).toHaveText("Processing your payment…");
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
		const status = page.getByRole("status").filter({ hasText: "Please stay on this page until it's done." });
		await expect(status).toBeVisible();
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
	page.on("dialog", (dialog) => {
		throw new Error(`unexpected ${dialog.type()} dialog`);
	});
	await page.reload();
});

test("a changed price is shown instead of a charge", async ({ page, shop, expectWarning }) => {
	expectWarning("409 /payments/place");
	await checkOut(page, book.title);
	await typeCard(page, goodCard);
	const restoreCatalog = await changeProduct(shop, book.id, "repriced");
	const price = formatMoney(book.priceCents + 100);
	try {
		await buyNow(page).click();
		await expect(page.getByText(`by Mara Ellington now costs ${price}. You have not been charged`)).toBeVisible();
		await expect(page.getByText(`Order Total: ${price}`)).toBeVisible();
		await buyNow(page).click();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByRole("article")).toContainText(price);
	} finally {
		await restoreCatalog();
		// no cache may keep the price for the next test
		await shop.advance(70);
	}
});

test("what is sold out leaves the basket, and the rest can be bought", async ({ page, shop, expectWarning }) => {
	expectWarning("409 /payments/place");
	await checkOut(page, book.title, speaker.title);
	await typeCard(page, goodCard);
	const restoreCatalog = await changeProduct(shop, book.id, "sold out");
	try {
		await buyNow(page).click();
		await expect(page.getByText("by Mara Ellington is sold out. You have not been charged.")).toBeVisible();
		await expect(page.getByText(`Order Total: ${speaker.price}`)).toBeVisible();
		await buyNow(page).click();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByRole("article")).not.toContainText(book.title);
	} finally {
		await restoreCatalog();
	}
});

test("a payment that was canceled at Stripe is replaced by the next Buy Now", async ({ page, shop, expectWarning }) => {
	// Stripe refuses the confirmation
	expectWarning("400 /stripe-emulator/v1/payment_intents/");
	await checkOut(page, speaker.title);
	await typeCard(page, goodCard);
	await expect(buyNow(page)).toBeEnabled();
	const canceled = await newestPayment(shop);
	await shop.stripe.paymentIntents.cancel(canceled?.id ?? "");
	await buyNow(page).click();
	await expect(page.getByText("This payment has expired. Please try again. You have not been charged.")).toBeVisible();
	await expect(page.getByText(`Order Total: ${speaker.price}`)).toBeVisible();
	await buyNow(page).click();
	await expect(page).toHaveURL("/orders");
	await expect(page.getByRole("article")).toContainText(speaker.title);
});

test("a guest's email for the receipt is sent only to Stripe", async ({ page, shop, expectWarning }) => {
	// Stripe refuses the email, then the card
	for (const status of [400, 402]) expectWarning(`${status} /stripe-emulator/v1/payment_intents/`);
	const sent: string[] = [];
	const received: string[] = [];
	page.on("request", (request) => {
		const text = `${request.url()} ${request.postData()}`;
		if (text.includes("/confirm")) sent.push(text);
		else received.push(text);
	});
	await checkOut(page, speaker.title);
	const email = page.getByRole("textbox", { name: "Email for your receipt (optional)" });
	await test.step("Enter leads to the card input while that is incomplete", async () => {
		await expect(buyNow(page)).toHaveAccessibleDescription(/Enter your card details\.$/);
		await email.press("Enter");
		await expect(cardField(page, "cardnumber")).toBeFocused();
	});
	await typeCard(page, goodCard);
	await expect(buyNow(page)).toBeEnabled();
	await test.step("the browser refuses an email without @", async () => {
		await email.fill("ada");
		await buyNow(page).click();
		await expect(email).toBeFocused();
		expect(received.filter((text) => text.includes("/payments/place"))).toEqual([]);
	});
	await test.step("Stripe refuses a domain without a dot, and nothing is charged", async () => {
		await email.fill("ada@example");
		await buyNow(page).click();
		await expect(page.locator(".outcome")).toHaveText("Invalid email address: ada@example. You have not been charged.");
		await expect(email).toHaveValue("ada@example");
	});
	await test.step("the field is read-only during a payment, and keeps its text after a decline", async () => {
		await email.fill("ada@example.com");
		await typeCard(page, declinedCard);
		const release = await hold(page, "**/payments/place");
		await email.press("Enter");
		await expect(processing(page)).toBeVisible();
		await expect(email).not.toBeEditable();
		await email.press("Enter");
		release();
		await expect(page.getByText("Your card was declined.")).toBeVisible();
		await expect(email).toBeEditable();
		await expect(email).toHaveValue("ada@example.com");
	});
	await payWith(page, goodCard);
	await expect(page).toHaveURL("/orders");
	expect(await newestPayment(shop)).toMatchObject({ status: "succeeded", receipt_email: "ada@example.com" });
	expect(sent).toHaveLength(3);
	expect(received.filter((text) => /ada(@|%40)/.test(text))).toEqual([]);
});

test("a customer whose email Stripe refuses pays without a receipt", async ({ page, shop, expectWarning }) => {
	expectWarning("400 /stripe-emulator/v1/payment_intents/");
	const customer = await signInOverHttp(page.context(), shop);
	const email = `${crypto.randomUUID()}@home`;
	const setEmail = shop.d1.prepare("update users set email = ? where id = ?");
	await setEmail.bind(email, await customer.userId()).run();
	await checkOut(page, speaker.title);
	await payWith(page, goodCard);
	await expect(page).toHaveURL("/orders");
	expect(await newestPayment(shop)).toMatchObject({ status: "succeeded", receipt_email: null });
});

test("when the session ends on /payment, the page says who pays next", async ({ page, shop, expectWarning }) => {
	expectWarning("409 /payments/place");
	const { email, password } = await signInOverHttp(page.context(), shop);
	await checkOut(page, speaker.title);
	await typeCard(page, goodCard);
	await expect(buyNow(page)).toBeEnabled();
	await shop.d1.prepare("delete from sessions").run();
	await buyNow(page).click();
	const alert = page.locator(".outcome");
	const notPlaced = "Your sign-in has changed, so this order was not placed. You have not been charged.";
	const signedOut = "You're signed out: Buy Now pays as a guest.";
	await expect(alert).toContainText(notPlaced);
	await expect(alert).toContainText(signedOut);
	await expect(page.locator("address")).toContainText("Guest");

	await test.step("signing in keeps the basket, and the customer buys", async () => {
		await alert.getByRole("link", { name: "sign in" }).click();
		await page.getByLabel("Email", { exact: true }).fill(email);
		await page.getByLabel("Password").fill(password);
		await page.getByRole("button", { name: "Sign In" }).click();
		await follow(page, "Basket, 1 item");
		await follow(page, "Proceed to Checkout");
		await typeCard(page, goodCard);
		await expect(buyNow(page)).toBeEnabled();
		await expect(alert).toBeEmpty();
	});
	await test.step("a refresh that finds no session shows the message too, and the guest buys", async () => {
		await shop.d1.prepare("delete from sessions").run();
		await becomeVisible(page);
		await expect(alert).toContainText(signedOut);
		await expect(alert).not.toContainText(notPlaced);
		await buyNow(page).click();
		await expect(page).toHaveURL("/orders");
		const advice = "The next person who signs in or creates an account in this browser gets this order.";
		await expect(page.getByText(advice)).toBeVisible();
	});
});

test("/payment with an empty basket creates no PaymentIntent", async ({ page }) => {
	const created: string[] = [];
	page.on("request", (request) => request.url().includes("/payments/create") && created.push(request.url()));
	await page.emulateMedia({ colorScheme: "light" });
	const number = cardField(page, "cardnumber");
	for (const [width, standard, size] of [
		[1280, 16, "16px"],
		[1280, 32, "32px"],
		// a larger size would hide a part of the card number
		[390, 32, "19px"],
	] as const) {
		await test.step(`at ${width} pixels with text of ${standard} pixels, the card input has its placeholder's size and the page's font`, async () => {
			await page.setViewportSize({ width, height: 800 });
			await setFontSize(page, standard);
			const release = await hold(page, "**/stripe-emulator/stripe.js");
			// the load event may wait for the script
			await page.goto("/payment", { waitUntil: "commit" });
			await expect(field(page)).toHaveAttribute("aria-busy", "true");
			const loading = await field(page).boundingBox();
			release();
			await expect(field(page)).toHaveAttribute("aria-busy", "false");
			expect(await field(page).boundingBox()).toEqual(loading);
			await expect(number).toHaveCSS("font-size", size);
			const font = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
			await expect(number).toHaveCSS("font-family", font);
			await page.unroute("**/stripe-emulator/stripe.js");
		});
	}
	await expect(page.getByText("Your basket is empty")).toBeVisible();
	await expect(page.getByText(`Order Total: ${formatMoney(0)}`)).toBeVisible();
	await expect(buyNow(page)).toBeDisabled();
	await expect(buyNow(page)).toHaveAccessibleDescription(/Add something to your basket first\.$/);
	await test.step("the card input has the theme's colors", async () => {
		await expect(number).toHaveCSS("color", "rgb(23, 32, 43)");
		// this page has no theme buttons
		await page.evaluate(() => {
			document.documentElement.setAttribute("data-theme", "dark");
			dispatchEvent(new Event("theme"));
		});
		await expect(number).toHaveCSS("color", "rgb(238, 242, 246)");
	});
	expect(created).toEqual([]);
});

const loadFailure = (page: Page) => page.getByText("We couldn't load the payment form. Your basket is unchanged.");
const scriptFailure = ["The payment script could not be loaded.", "Failed to load resource: net::ERR_FAILED"];
const tryAgain = (page: Page) => page.locator(".step").getByRole("button", { name: "Try again" });

/** Opens the payment page with an item in the basket and a clock that only the test advances. */
async function openPayment(page: Page): Promise<void> {
	await fillBasket(page, speaker.title);
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

/** Responds with the payment script, changed to count the Stripe objects: Stripe.js loads some frames only once for each. */
async function fulfillCounting(route: Route): Promise<void> {
	const response = await fetchResponse(route);
	const count =
		"{const create=Stripe;Stripe=Object.assign(key=>{Stripe.created++;return create(key)},create,{created:0})}";
	await route.fulfill({ response, body: `${await response.text()};${count}` });
}

test("Try again loads a payment form that failed to load, and keeps the basket", async ({ page, expectWarning }) => {
	const frames = "**/stripe-emulator/card-frame";
	const scripts = "**/stripe-emulator/stripe.js*";
	const message = "Too many requests from your network.";
	await page.route("**/payments/create*", (route) =>
		route.fulfill({ status: 429, json: { error: { code: "too_many_requests", message } } }),
	);
	const requested: Route[] = [];
	await page.route(scripts, (route) => void requested.push(route));
	expectWarning("429 /payments/create", ...scriptFailure);
	await openPayment(page);
	await expect.poll(() => requested).toHaveLength(1);
	await expectTimeout(page);

	await test.step("a payment that is refused, too, which the same button repeats", async () => {
		const refusal = page.locator(".outcome");
		await expect(refusal).toHaveText(`${message} You have not been charged.`);
		await page.unroute("**/payments/create*");
		const created = page.waitForResponse("**/payments/create*");
		await tryAgain(page).click();
		await created;
		await expect(refusal).toBeEmpty();
	});

	await test.step("a script that fails to load, while the earlier one loads late and is used by the next attempt", async () => {
		await expect.poll(() => requested).toHaveLength(2);
		await requested[1]?.abort();
		await expect(loadFailure(page)).toBeVisible();
		await expect(buyNow(page)).toHaveAccessibleDescription(/The payment form couldn't be loaded\.$/);
		if (requested[0]) await fulfillCounting(requested[0]);
		await page.waitForFunction(() => "Stripe" in window);
		await expect(loadFailure(page)).toBeVisible();
	});

	await test.step("a frame that is never ready", async () => {
		// the frame connects, because otherwise the emulator reports an error itself
		const body = '<script>parent.postMessage("stripe-emulator-hello", "*")</script>';
		await page.route(frames, (route) => route.fulfill({ contentType: "text/html", body }));
		await tryAgain(page).click();
		await expect(page.frameLocator("iframe").locator("script")).toBeAttached();
		await expectTimeout(page);
		expect(requested).toHaveLength(2);
	});

	await test.step("a frame that fails to load", async () => {
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
	await expect(buyNow(page)).toBeEnabled();
	// after the timeout of loading
	await page.clock.fastForward(20_000);
	expect(await page.evaluate(() => Object(window.Stripe).created), "one Stripe object per attempt").toBe(3);
	await expect(loadFailure(page)).toHaveCount(0, { timeout: 5000 });
});

const mistakes = [
	[["4242", "", ""], "cardnumber", "Your card number is incomplete."],
	[[goodCard, "12 / 20", ""], "exp-date", "Your card's expiration year is in the past."],
	[[goodCard, "12 / 34", "1"], "cvc", "Your card's security code is incomplete."],
] as const;

test("the fields of the card input fit every width, and an invalid field shows an error", async ({ page }) => {
	await fillBasket(page, speaker.title);
	// an element with this id does not take the place of Stripe.js
	await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<div id="Stripe"></div>'));
	await follow(page, "Proceed to Checkout");
	const frame = page.locator('iframe[title="Secure card payment input frame"]');
	const fields = ["number", "expiration date", "CVC/CVV"].map((name) =>
		frame.contentFrame().getByLabel(`Credit or debit card ${name}`),
	);
	// a number of 19 digits
	await typeCard(page, "6205500000000000004");
	for (const width of [320, 390, 440, 480, 1280]) {
		await test.step(`the fields are fully visible at ${width} pixels`, async () => {
			await page.setViewportSize({ width, height: 800 });
			await expectResized(frame);
			for (const field of fields) {
				await field.focus();
				expect(await field.evaluate((input) => input.scrollWidth - input.clientWidth)).toBeLessThanOrEqual(0);
				await expect(field).toBeInViewport({ ratio: 1 });
			}
		});
	}

	const alert = page.locator("form + p[role=alert]");
	for (const [[number, expiry, cvc], name, message] of mistakes) {
		await test.step(`an invalid ${name} shows an error in the field and under the form`, async () => {
			const field = cardField(page, name);
			await typeCard(page, number, expiry, cvc);
			await field.blur();
			await expect(alert).toHaveText(message);
			const [form, below] = [await boxOf(page.locator("form:has(.field)")), await boxOf(alert)];
			expect(below.x).toBe(form.x);
			expect(below.y - form.bottom).toBeGreaterThanOrEqual(0);
			expect(below.y - form.bottom).toBeLessThanOrEqual(16);
			await expect(field).toHaveAttribute("aria-invalid", "true");
			await expect(field).toHaveAccessibleDescription(message);
			await expect(buyNow(page)).toBeDisabled();
			await expect(buyNow(page)).toHaveAccessibleDescription(/Enter your card details\.$/);

			await typeCard(page, goodCard);
			await expect(alert).toHaveCount(0);
			await expect(field).toHaveAttribute("aria-invalid", "false");
			await expect(field).toHaveAccessibleDescription("");
			await expect(buyNow(page)).toBeEnabled();
			await expect(buyNow(page)).toHaveAccessibleDescription(/Ready to pay\.$/);
		});
	}
});

test("with Stripe's keys, Try again also loads Stripe.js from Stripe", async ({ page, shop, expectWarning }) => {
	const withKeys = await openShop({
		secrets: { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_PUBLISHABLE_KEY: "pk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" },
	});
	const body = await (await shop.fetch("/stripe-emulator/stripe.js")).text();
	const requested: Route[] = [];
	await page.route("https://js.stripe.com/card-frame", () => undefined);
	await page.route("https://js.stripe.com/*/stripe.js*", (route) => void requested.push(route));
	expectWarning(...scriptFailure);
	// another program's function does not take the place of Stripe.js
	await page.addInitScript("window.Stripe = () => ({})");
	await page.clock.install();
	// the load event waits for the script
	await page.goto(new URL("/payment", withKeys.url).href, { waitUntil: "commit" });
	await expect.poll(() => requested).toHaveLength(1);
	// of the release that the API's version names
	expect(requested[0]?.request().url()).toBe(`https://js.stripe.com/${apiVersion.split(".")[1]}/stripe.js`);
	await page.clock.fastForward(20_000);
	await tryAgain(page).click();
	await expect.poll(() => requested).toHaveLength(2);
	await requested[1]?.abort();
	await tryAgain(page).click();
	await expect.poll(() => requested).toHaveLength(3);
	await requested[2]?.fulfill({ contentType: "text/javascript", body });
	await expect(page.locator("iframe")).toHaveAttribute("src", /^https:\/\/js\.stripe\.com\//);
	// the page still loads the code of other pages
	await page.close();
	await withKeys.close();
});
