import type { Page, Route } from "@playwright/test";
import { homeHeading, logo } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import { answerBank, authenticatedCard, bankDialog, expectBank } from "../support/bank.ts";
import { expect, signInOverHttp, test } from "../support/browser.ts";
import { buyNow, declinedCard, goodCard, typeCard } from "../support/card.ts";
import { mixer, speaker } from "../support/catalogue.ts";
import { addToBasket, checkOut, follow } from "../support/shopper.ts";
import { becomeVisible, expectNotReloaded, holdMessages, markDocument, tryAgain } from "../support/window.ts";

// Payments whose outcome is not known yet: the page shows that the payment is being checked. The numbers refer to
// tests/faults.md. The simulation tests the same faults in every order of requests and responses.

/** A message is on the page and, for screen readers, in the live region after it. */
const text = (page: Page, text: string | RegExp) => page.getByText(text).first();
const checking = (page: Page) => text(page, "We're checking your payment.");
const notCharged = (page: Page) => text(page, /You have not been charged\.|Nothing was charged;/);
const paid = (page: Page) => text(page, `Your payment of ${speaker.price} went through.`);
const receipt = (page: Page) => page.getByText(`You paid ${speaker.price}`);

/** The two addresses of a poll. */
const polls = /\/payments\/(fulfill|outcome)$/;

/** Opens /payment as a guest with a speaker in the basket, types the card and installs a fake clock. */
async function openPayment(page: Page, card: string): Promise<void> {
	await checkOut(page, speaker.title);
	await typeCard(page, card);
	await page.clock.install();
	await expect(buyNow(page)).toBeEnabled();
}

/** Charges the card, and holds the page's status polls until the returned function is called. The shop then responds to
 *  them, unless `response` is given. */
async function charge(page: Page, response?: object): Promise<() => void> {
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	await page.route(polls, async (route) => {
		await released;
		await (response ? route.fulfill({ json: response }) : route.continue());
	});
	const polled = page.waitForRequest("**/payments/fulfill");
	await buyNow(page).click();
	await polled;
	return release;
}

test.beforeEach(({ expectWarning }) => expectWarning("409 /payments/"));

test("a payment found to be paid removes only its items (fault 13)", async ({ page, context, expectWarning }) => {
	expectWarning("402 /stripe-emulator/v1/payment_intents/");
	await openPayment(page, declinedCard);
	await buyNow(page).click();
	await expect(notCharged(page)).toBeVisible();
	await follow(page, logo);
	await addToBasket(page, mixer.title);
	expectWarning("409 /payments/create");
	const error = { code: "payment_in_progress", message: "" };
	await page.route("**/payments/create*", (route) => route.fulfill({ status: 409, json: { error } }), { times: 1 });
	await page.route(polls, (route) => route.fulfill({ json: { status: "paid", created: 1 } }), { times: 1 });
	await follow(page, "Basket, 2 items");
	await follow(page, "Proceed to Checkout");
	await expect(paid(page)).toContainText("The other items in your basket haven't been paid for.");
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await expect(page.getByText(`Order Total: ${mixer.price}`)).toBeVisible();
	await test.step("an offline payment is shown as being checked, then as not charged once the network is back, and can be repeated (fault 21)", async () => {
		expectWarning("Failed to load resource: net::ERR_INTERNET_DISCONNECTED");
		await typeCard(page, goodCard);
		const confirmations = "**/payment_intents/*/confirm";
		await page.route(confirmations, async (route) => {
			await context.setOffline(true);
			await route.abort("internetdisconnected");
		});
		await buyNow(page).click();
		await expect(checking(page)).toBeVisible();
		await page.clock.fastForward(60_000);
		await expect(checking(page)).toBeVisible();
		await context.setOffline(false);
		await expect(notCharged(page)).toHaveText("Your payment did not go through. You have not been charged.");
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		await page.unroute(confirmations);
		await buyNow(page).click();
		await expect(page.getByText(`You paid ${mixer.price}`)).toBeVisible();
	});
});

test("a payment whose polls are all blocked ends when /orders lists its order", async ({
	page,
	shop,
	expectWarning,
}) => {
	expectWarning("Failed to load resource");
	const customer = await signInOverHttp(page.context(), shop);
	const query = "select payment_intent_id from orders where user_id = ? and status = 'paid' order by rowid desc";
	const paidOrders = shop.d1.prepare(query).bind(await customer.userId());
	const newest = () => paidOrders.first("payment_intent_id");
	let earlier: unknown = null;
	await page.route(polls, (route) => route.abort());
	for (const [refunds, message] of [
		[false, `You paid ${speaker.price}`],
		[true, "Your payment was refunded, and nothing will be delivered."],
	] as const) {
		await openPayment(page, goodCard);
		await buyNow(page).click();
		await expect(checking(page)).toBeVisible();
		await expect.poll(newest).not.toBe(earlier);
		earlier = await newest();
		if (refunds) {
			await shop.stripe.refunds.create({ payment_intent: String(earlier) });
			await expect.poll(newest).not.toBe(earlier);
		}
		await follow(page, "Returns & Orders");
		await expect(text(page, message)).toBeVisible();
		await follow(page, logo);
	}
});

test("the message about a checked payment stays when the customer is named late", async ({ page, shop }) => {
	const { email } = await signInOverHttp(page.context(), shop);
	await openPayment(page, goodCard);
	const release = await charge(page);
	page.on("dialog", (dialog) => dialog.accept());
	await shop.control({ control: "timeouts", timeouts: { read: 50 } });
	await shop.control({ control: "shop_fault", path: "/", service: "d1", call: "every", fault: "never" });
	await page.goto("/");
	const message = page.getByRole("group", { name: "Message" });
	await expect(message).toContainText("Please don't pay again.");
	await expect(page.getByText(`Hello ${email}`)).toHaveCount(0);
	await page.clock.fastForward(1000);
	await expect(page.getByText(`Hello ${email}`)).toBeVisible();
	await expect(message).toContainText("Please don't pay again.");
	release();
	await expect(message).toContainText(`Your payment of ${speaker.price} went through.`);
});

test("the basket is locked on any page until its outcome (faults 25, 33 and 34)", async ({ page, expectWarning }) => {
	const locked = text(page, "Your basket is locked while we process your payment.");
	await openPayment(page, goodCard);
	const refund = await charge(page, { status: "refunded" });
	await page.clock.fastForward(10_000);
	await expect(checking(page)).toBeVisible();
	await expect(page.getByRole("button", { name: "Processing" })).toBeDisabled();

	await test.step("an error page", async () => {
		expectWarning("Failed to load resource");
		await page.route(/\.data/, (route) => route.abort());
		await follow(page, logo);
		await expect(page.getByRole("heading", { name: "We can't reach the shop" })).toBeVisible();
		await expect(checking(page)).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		await page.unroute(/\.data/);
		await tryAgain(page, page.getByRole("heading", { name: homeHeading }));
	});

	await test.step("the basket and the orders", async () => {
		const notice = page.getByRole("main").locator(".sheet", { hasText: "We're checking your payment." });
		await follow(page, "Basket, 1 item");
		await expect(notice).toBeVisible();
		await expect(page.getByRole("button", { name: "Remove from Basket" })).toHaveCount(0);
		await follow(page, "Returns & Orders");
		await expect(notice).toBeVisible();
		const pending = page.getByRole("region", { name: "Your order" });
		await expect(pending).toContainText(speaker.title);
		await expect(pending).toContainText(`Order Total: ${speaker.price}`);
		await expect(page.getByText("Sign in to see your orders")).toHaveCount(0);
		await follow(page, logo);
	});

	await test.step("another page", async () => {
		await addToBasket(page, speaker.title);
		await expect(locked).toBeVisible();
		refund();
		await expect(text(page, "Your payment was refunded, and nothing will be delivered.")).toBeVisible();
		await expect(page).toHaveURL("/");
		await addToBasket(page, speaker.title);
	});

	await test.step("another page after a reload; /payment becomes the receipt, also if /orders fails to load at first", async () => {
		await page.route("**/orders.data*", (route) => route.abort());
		await follow(page, "Basket, 2 items");
		await follow(page, "Proceed to Checkout");
		await typeCard(page, goodCard);
		const release = await charge(page);
		page.on("dialog", (dialog) => dialog.accept());
		await page.goto("/");
		await expect(checking(page)).toBeVisible();
		await addToBasket(page, speaker.title);
		await expect(locked).toBeVisible();
		await page.goBack();
		await expect(checking(page)).toBeVisible();
		await markDocument(page);
		release();
		const total = formatMoney(2 * speaker.priceCents);
		await expect(text(page, `Your payment of ${total} went through.`)).toBeVisible();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByText("Your orders are safe.")).toBeVisible();
		await page.unroute("**/orders.data*");
		const receipt = page.getByText(`You paid ${total}`);
		await tryAgain(page, receipt);
		await expect(receipt).toBeVisible();
		await expectNotReloaded(page);
		await page.reload();
		await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
	});
});

test("polls, Back and failures leave the bank's dialog (faults 27, 33)", async ({ page, context, expectWarning }) => {
	expectWarning("Failed to load resource", "500 ");
	await openPayment(page, authenticatedCard);
	await markDocument(page);
	await buyNow(page).click();
	await expectBank(page);
	await page.clock.fastForward(8000);
	await expect(checking(page)).toBeVisible();
	for (let minutes = 0; minutes < 5; minutes++) {
		// the page may not have set its timer yet
		await expect(async () => {
			const polled = page.waitForResponse(polls, { timeout: 2000 });
			await page.clock.fastForward(60_000);
			expect((await polled).status()).toBe(409);
		}).toPass();
	}
	await page.evaluate(() => history.back());
	await expect(page.getByRole("status").filter({ hasText: "Please stay on this page" })).toHaveCount(1);
	await expect(page).toHaveURL("/payment");
	for (const [name, fail] of [
		["is aborted", (route: Route) => route.abort()],
		["returns 500", (route: Route) => route.fulfill({ status: 500 })],
		["hangs", async () => {}],
	] as const) {
		await test.step(`a data request ${name}`, async () => {
			await page.route(/payment\.data/, fail);
			const requested = page.waitForRequest(/payment\.data/);
			await becomeVisible(page);
			await requested;
			if (name === "hangs") await page.clock.fastForward(10_000);
			await context.setOffline(true);
			await context.setOffline(false);
			await expect(bankDialog(page)).toBeVisible();
		});
	}
	await expect(notCharged(page)).toHaveCount(0);
	await answerBank(page, "Complete");
	await expect(receipt(page)).toBeVisible();
	await expectNotReloaded(page);
});

test("a duplicate of the tab never cancels the payment and shows its outcome (fault 40)", async ({ page, context }) => {
	// the copy may show the outcome before this test reads it
	await holdMessages(context);
	await openPayment(page, authenticatedCard);
	await buyNow(page).click();
	await expectBank(page);
	const opened = context.waitForEvent("page");
	// a window with an opener starts with a copy of the opener's sessionStorage, as a duplicated tab does
	await page.evaluate(() => void open("/"));
	const copy = await opened;
	const canceling: string[] = [];
	copy.on("request", (request) => {
		if (request.postData()?.includes('"cancel"')) canceling.push(request.url());
	});
	await expect(checking(copy)).toBeAttached();
	for (const _ of ["first", "second", "third"]) {
		const polled = copy.waitForResponse(polls);
		await copy.clock.fastForward(15_000);
		await polled;
	}
	expect(canceling).toEqual([]);
	await expect(notCharged(page)).toHaveCount(0);
	await answerBank(page, "Complete");
	await expect(receipt(page)).toBeVisible();
	await copy.evaluate(() => dispatchEvent(new Event("online")));
	await expect(paid(copy)).toBeAttached();
});
