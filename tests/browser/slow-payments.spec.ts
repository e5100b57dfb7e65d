import type { Page, Route } from "@playwright/test";
import { answerBank, authenticatedCard, bank, bankDialog } from "../support/bank.ts";
import {
	addToBasket,
	becomeVisible,
	checkOut,
	createAccount,
	declinedCard,
	expect,
	expectNotReloaded,
	follow,
	goodCard,
	hold,
	markDocument,
	test,
	tryAgain,
	typeCard,
} from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";
import { checkAfterReconcile, newestIntent } from "../support/invariants.ts";
import type { Shop } from "../support/shop.ts";

// Payments whose outcome takes longer than every timeout. Until the outcome is final, the page shows that the payment
// is being checked. No charge follows once the page shows "not charged". The numbers refer to tests/faults.md.

let before: string | undefined;
test.beforeEach(async ({ shop }) => {
	before = await newestIntent(shop);
});
test.afterEach(({ shop }) => checkAfterReconcile(shop, before));

const buyNow = (page: Page) => page.getByRole("button", { name: "Buy Now" });
const checking = (page: Page) => page.getByText("We're checking your payment.");
const notCharged = (page: Page) => page.getByText(/You have not been charged\.|Nothing was charged;/);
const paid = (page: Page) => page.getByText(`Your payment of ${speaker.price} went through.`);

/** Opens /payment as a guest with a speaker in the basket, types the card and installs a fake clock. */
async function openPayment(page: Page, card: string): Promise<void> {
	await checkOut(page, "Smart speaker");
	await typeCard(page, card);
	await page.clock.install();
	await expect(buyNow(page)).toBeEnabled();
}

/** Pauses confirmCardPayment until the returned function is called, either before it sends the confirmation or after
 *  Stripe has responded. Stripe.js may take arbitrarily long, but the emulator's version times out after 10 seconds. */
async function holdConfirmation(page: Page, when: "before" | "after"): Promise<() => Promise<void>> {
	await page.route("**/stripe-emulator/stripe.js", async (route) => {
		const response = await route.fetch();
		await route.fulfill({ response, body: `${await response.text()};(${holdInPage})(${when === "before"})` });
	});
	return () => page.evaluate(() => void dispatchEvent(new Event("release")));
}

/** Runs in the page. */
function holdInPage(before: boolean): void {
	const { Stripe: open } = window;
	if (!open) throw new Error("Stripe.js is not loaded.");
	const released = new Promise((resolve) => addEventListener("release", resolve, { once: true }));
	const hold = (key: string) => {
		const stripe = open(key);
		const confirm = stripe.confirmCardPayment;
		stripe.confirmCardPayment = async (...call) => {
			if (before) await released;
			const result = await confirm(...call);
			await released;
			return result;
		};
		return stripe;
	};
	Object.assign(window, { Stripe: Object.assign(hold, open) });
}

/** Waits for the bank's page: advancing the clock while it loads would time out its request. */
const expectBank = (page: Page) =>
	expect(bank(page).getByRole("heading", { name: "Confirm your payment" })).toBeFocused();

/** Returns this test's newest PaymentIntent at Stripe. */
async function newest({ stripe }: Shop) {
	const { data } = await stripe.paymentIntents.list({ limit: 20, ...(before && { ending_before: before }) });
	return data[0];
}

test.describe("fault 26: the confirmation's request or response arrives after every timeout", () => {
	test.beforeEach(({ expectRefusal }) => expectRefusal("/payments/fulfill", 409));

	test("a payment whose confirmation takes a minute is shown as being checked, then as paid", async ({ page }) => {
		const release = await holdConfirmation(page, "before");
		await openPayment(page, goodCard);
		await buyNow(page).click();
		await page.clock.fastForward(8000);
		await expect(checking(page)).toBeVisible();
		await page.clock.fastForward(60_000);
		await expect(checking(page)).toBeVisible();
		await expect(notCharged(page)).toHaveCount(0);
		await release();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
	});

	test("a status poll shows the receipt while the confirmation's result is delayed", async ({ page, shop }) => {
		await holdConfirmation(page, "after");
		await openPayment(page, goodCard);
		await buyNow(page).click();
		await expect.poll(async () => (await newest(shop))?.status).toBe("succeeded");
		await page.clock.fastForward(8000);
		await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
	});

	test('a poll that returns the state from before the confirmation never shows "not charged"', async ({
		page,
		shop,
	}) => {
		await shop.disableWebhooks();
		await shop.control({ control: "stale_retrieve", stale: true });
		const endpoint = "payment_intents.confirm";
		await shop.control({ control: "latency", milliseconds: 5000, endpoint, when: "after" });
		await openPayment(page, goodCard);
		const confirmed = page.waitForRequest(/\/confirm$/);
		await buyNow(page).click();
		await confirmed;
		const polled = page.waitForResponse("**/payments/fulfill");
		await page.clock.fastForward(8000);
		expect((await polled).status()).toBe(409);
		await expect(checking(page)).toBeVisible();
		await expect(notCharged(page)).toHaveCount(0);
		await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
	});

	test("the server cancels a payment whose confirmation takes too long, and the late confirmation is rejected", async ({
		page,
		shop,
		expectRefusal,
	}) => {
		const release = await holdConfirmation(page, "before");
		await openPayment(page, goodCard);
		const intent = await newest(shop);
		await buyNow(page).click();
		await page.clock.fastForward(8000);
		await expect(checking(page)).toBeVisible();
		await page.clock.fastForward(120_000);
		await expect(notCharged(page)).toHaveText("Your payment did not go through. You have not been charged.");
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		await expect(buyNow(page)).toBeEnabled();

		expectRefusal(`/stripe-emulator/v1/payment_intents/${intent?.id}/confirm`, 400);
		const late = page.waitForResponse(/\/confirm$/);
		await release();
		expect((await late).status()).toBe(400);
		await expect(notCharged(page)).toBeVisible();
		expect(await shop.stripe.paymentIntents.retrieve(intent?.id ?? "")).toMatchObject({
			status: "canceled",
			amount_received: 0,
		});
		const next = await newest(shop);
		expect(next?.id).not.toBe(intent?.id);
		await buyNow(page).click();
		await expect(page.getByText(`You paid ${speaker.price} for order ${next?.id}`)).toBeVisible();
	});

	test("a late decline is shown, and the same payment accepts another card", async ({ page, shop, expectRefusal }) => {
		const release = await holdConfirmation(page, "after");
		await openPayment(page, declinedCard);
		const intent = await newest(shop);
		expectRefusal(`/stripe-emulator/v1/payment_intents/${intent?.id}/confirm`, 402);
		await buyNow(page).click();
		await page.clock.fastForward(8000);
		await expect(checking(page)).toBeVisible();
		await expect(notCharged(page)).toHaveCount(0);
		await release();
		await expect(notCharged(page)).toHaveText("Your card was declined. Nothing was charged; try another card.");
		await expect(checking(page)).toHaveCount(0);
		await typeCard(page, goodCard);
		await buyNow(page).click();
		await expect(page.getByText(`You paid ${speaker.price} for order ${intent?.id}`)).toBeVisible();
	});

	test("a payment continues after the shopper leaves the page, and its outcome is announced", async ({
		page,
		shop,
		expectRefusal,
	}) => {
		const release = await holdConfirmation(page, "after");
		await openPayment(page, declinedCard);
		expectRefusal(`/stripe-emulator/v1/payment_intents/${(await newest(shop))?.id}/confirm`, 402);
		await buyNow(page).click();
		await page.clock.fastForward(8000);
		await expect(checking(page)).toBeVisible();
		await follow(page, "Half Dozen");
		await addToBasket(page, "Stand mixer");
		await expect(page.getByText("Your basket is locked while we process your payment.")).toBeVisible();
		await release();
		await expect(notCharged(page)).toHaveText("Your card was declined. Nothing was charged; try another card.");
		await expect(page).toHaveURL("/");
		await addToBasket(page, "Stand mixer");
		await expect(page.getByRole("link", { name: "Basket, 2 items" })).toBeVisible();
	});
});

test.describe("fault 27: status polls are slow or return an older state while the bank's dialog is open", () => {
	test.beforeEach(({ expectRefusal }) => expectRefusal("/payments/fulfill", 409));

	for (const [polls, delay] of [
		["slow", true],
		["non-final", false],
	] as const) {
		test(`the page does not show "not charged" during ${polls} polls while the bank's dialog is open`, async ({
			page,
		}) => {
			await openPayment(page, authenticatedCard);
			const release = delay ? await hold(page, /\/payments\/fulfill|\/payment_intents\/\w+\?/) : () => {};
			await buyNow(page).click();
			await expectBank(page);
			await page.clock.fastForward(8000);
			await page.clock.fastForward(1000);
			await expect(checking(page)).toBeVisible();
			if (!delay) {
				for (let minutes = 0; minutes < 5; minutes++) {
					const polled = page.waitForResponse("**/payments/fulfill");
					await page.clock.fastForward(60_000);
					expect((await polled).status()).toBe(409);
				}
			}
			await expect(bankDialog(page)).toBeVisible();
			await expect(notCharged(page)).toHaveCount(0);
			if (!delay) {
				await page.evaluate(() => history.back());
				await expect(page.getByText("Please stay on this page until it's done.")).toHaveCount(1);
				await expect(page).toHaveURL("/payment");
			}
			release();
			await answerBank(page, "Complete");
			await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
		});
	}

	test("a payment is canceled after the bank's dialog has been open for 15 minutes", async ({ page, shop }) => {
		await openPayment(page, authenticatedCard);
		await buyNow(page).click();
		await expectBank(page);
		const polled = page.waitForResponse("**/payments/fulfill");
		await page.clock.fastForward(8000);
		await polled;
		const intent = await newest(shop);
		await page.clock.fastForward(15 * 60_000);
		await expect(notCharged(page)).toBeVisible();
		expect(await shop.stripe.paymentIntents.retrieve(intent?.id ?? "")).toMatchObject({
			status: "canceled",
			amount_received: 0,
		});
	});
});

test.describe("fault 34: the shopper reloads while paying", () => {
	/** Pays, and opens `path` after Stripe has charged the card but before the page receives the result. Returns a
	 *  function that releases the held status poll. */
	async function leaveWhilePaying(page: Page, shop: Shop, path: string): Promise<() => void> {
		page.on("dialog", (dialog) => dialog.accept());
		await buyNow(page).click();
		await expect.poll(async () => (await newest(shop))?.status).toBe("succeeded");
		const release = await hold(page, "**/payments/fulfill");
		await page.goto(path);
		return release;
	}

	const savedPurchase = (page: Page) => page.evaluate(() => sessionStorage.getItem("purchase"));

	test("a guest sees that the payment is being checked, then the receipt", async ({ page, shop }) => {
		await holdConfirmation(page, "after");
		await openPayment(page, goodCard);
		expect(await savedPurchase(page)).toBeNull();
		const release = await leaveWhilePaying(page, shop, "/payment");
		await expect(checking(page)).toBeVisible();
		expect(await savedPurchase(page)).toContain((await newest(shop))?.client_secret);
		release();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
		expect(await savedPurchase(page)).toBeNull();
	});

	test("a customer sees that the payment is being checked, then the order", async ({ page, shop }) => {
		await page.goto("/");
		await createAccount(page);
		await holdConfirmation(page, "after");
		await openPayment(page, goodCard);
		const release = await leaveWhilePaying(page, shop, "/payment");
		await expect(checking(page)).toBeVisible();
		release();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByRole("article")).toHaveCount(1);
		await expect(page.getByRole("article")).toContainText(speaker.price);
	});

	test("another page announces that the payment is being checked, then its outcome", async ({ page, shop }) => {
		await holdConfirmation(page, "after");
		await openPayment(page, goodCard);
		const release = await leaveWhilePaying(page, shop, "/");
		await expect(checking(page)).toBeVisible();
		await addToBasket(page, "Stand mixer");
		await expect(page.getByText("Your basket is locked while we process your payment.")).toBeVisible();
		release();
		await expect(paid(page)).toBeVisible();
		await expect(page).toHaveURL("/");
		await addToBasket(page, "Stand mixer");
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		await page.reload();
		await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
		await expect(paid(page)).toHaveCount(0);
	});

	test("a payment whose confirmation was never sent is canceled after the reload", async ({
		page,
		shop,
		expectRefusal,
	}) => {
		expectRefusal("/payments/fulfill", 409);
		page.on("dialog", (dialog) => dialog.accept());
		await holdConfirmation(page, "before");
		await openPayment(page, goodCard);
		await buyNow(page).click();
		await expect.poll(() => savedPurchase(page)).not.toBeNull();
		await page.reload();
		await expect(checking(page)).toBeVisible();
		await page.clock.fastForward(15_000);
		await expect(notCharged(page)).toHaveText("Your payment did not go through. You have not been charged.");
		expect(await newest(shop)).toMatchObject({ status: "canceled", amount_received: 0 });
		expect(await savedPurchase(page)).toBeNull();
	});
});

test.describe("fault 33: a data or chunk request fails", () => {
	test.beforeEach(({ expectWarning }) => {
		for (const complaint of ["Failed to load resource", "409 ", "500 ", "503 "]) expectWarning(complaint);
	});

	/** Charges the card while the confirmation's result and the status poll are held. Returns a function that releases
	 *  the poll. */
	async function charge(page: Page, shop: Shop): Promise<() => void> {
		await holdConfirmation(page, "after");
		await openPayment(page, goodCard);
		const release = await hold(page, "**/payments/fulfill");
		await buyNow(page).click();
		await expect.poll(async () => (await newest(shop))?.status).toBe("succeeded");
		await page.clock.fastForward(8000);
		await expect(checking(page)).toBeVisible();
		await markDocument(page);
		return release;
	}

	test.afterEach(async ({ page }) => {
		await expectNotReloaded(page);
	});

	for (const status of [500, 503]) {
		test(`when the payment page's data returns ${status}, the page stays open until the payment goes through`, async ({
			page,
			shop,
		}) => {
			const release = await charge(page, shop);
			const failed = page.waitForResponse("**/payment.data*");
			await page.route("**/payment.data*", (route) => route.fulfill({ status }));
			await becomeVisible(page);
			await failed;
			await expect(checking(page)).toBeVisible();
			release();
			await expect(page).toHaveURL("/orders");
			await expect(paid(page)).toBeVisible();
			await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
		});
	}

	test("an error page shows that a payment is being checked, then that it went through", async ({ page, shop }) => {
		const release = await charge(page, shop);
		await page.route(/\.data/, (route) => route.abort());
		await follow(page, "half dozen");
		await expect(page.getByRole("heading", { level: 1, name: "We can't reach the shop" })).toBeVisible();
		await expect(checking(page)).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		release();
		await expect(paid(page)).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
		await expect(checking(page)).toHaveCount(0);
	});

	test("an error page in place of the payment page shows that a payment went through", async ({ page, shop }) => {
		const release = await charge(page, shop);
		await follow(page, "Basket, 1 item");
		await page.route(/\.data/, (route) => route.abort());
		await follow(page, "Proceed to Checkout");
		await expect(page.getByRole("heading", { level: 1, name: "We can't reach the shop" })).toBeVisible();
		release();
		await expect(paid(page)).toBeVisible();
	});

	test("when the page's data fails to load while the order is placed, the page stays open with its links blocked", async ({
		page,
	}) => {
		await openPayment(page, goodCard);
		await markDocument(page);
		const release = await hold(page, "**/payments/place");
		await buyNow(page).click();
		const processing = page.getByRole("button", { name: "Processing" });
		await expect(processing).toBeVisible();
		const failed = page.waitForResponse(/payment\.data/);
		await page.route(/payment\.data/, (route) => route.fulfill({ status: 500 }));
		await becomeVisible(page);
		await failed;
		await follow(page, "half dozen");
		await expect(page.getByText("Please stay on this page until it's done.")).toBeVisible();
		await expect(processing).toBeVisible();
		release();
		await expect(paid(page)).toBeVisible();
	});

	test("a payment goes through even if the code of /orders fails to load", async ({ page }) => {
		await page.route(/\/assets\/orders-/, (route) => route.abort());
		await openPayment(page, authenticatedCard);
		await markDocument(page);
		await buyNow(page).click();
		await answerBank(page, "Complete");
		await expect(page).toHaveURL("/orders");
		await expect(paid(page)).toBeVisible();
		await expect(page.getByText("Your orders are safe.")).toBeVisible();
		await page.unroute(/\/assets\/orders-/);
		await tryAgain(page, page.getByText(`You paid ${speaker.price}`));
		await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
	});

	test("a payment is shown as paid even if the data of /orders fails to load", async ({ page }) => {
		await openPayment(page, goodCard);
		await markDocument(page);
		await page.route(/orders\.data/, (route) => route.fulfill({ status: 500 }));
		await buyNow(page).click();
		await expect(page).toHaveURL("/orders");
		await expect(paid(page)).toBeVisible();
		await expect(page.getByText("Your orders are safe.")).toBeVisible();
		await page.unroute(/orders\.data/);
		await tryAgain(page, page.getByText(`You paid ${speaker.price}`));
		await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
	});

	for (const [choice, outcome] of [
		["Complete", paid],
		["Fail", notCharged],
	] as const) {
		for (const [name, fail] of [
			["is aborted", (route: Route) => route.abort()],
			["returns 500", (route: Route) => route.fulfill({ status: 500 })],
			["hangs", async () => {}],
		] as const) {
			test(`the bank's dialog stays open when a data request ${name} (${choice})`, async ({ page, context }) => {
				await openPayment(page, authenticatedCard);
				await markDocument(page);
				await buyNow(page).click();
				await expectBank(page);
				const requested = page.waitForRequest(/payment\.data/);
				await page.route(/payment\.data/, fail);
				await becomeVisible(page);
				await requested;
				if (name === "hangs") await page.clock.fastForward(10_000);
				await context.setOffline(true);
				await context.setOffline(false);
				await expect(bankDialog(page)).toBeVisible();
				await answerBank(page, choice);
				await expect(outcome(page)).toBeVisible();
				if (choice === "Fail") await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
			});
		}
	}
});

test("fault 39: a slow poll of a declined payment does not delay the outcome of the next payment", async ({
	page,
	expectRefusal,
}) => {
	expectRefusal("/stripe-emulator/v1/payment_intents", 402);
	const release = await holdConfirmation(page, "before");
	await page.goto("/");
	await addToBasket(page, "The Steady Business");
	await addToBasket(page, "Smart speaker");
	await follow(page, "Basket, 2 items");
	await follow(page, "Proceed to Checkout");
	await typeCard(page, declinedCard);
	await page.clock.install();
	await buyNow(page).click();
	const polled = page.waitForRequest("**/payments/fulfill");
	await page.route("**/payments/fulfill", () => undefined, { times: 1 });
	await page.clock.fastForward(8000);
	await polled;
	await release();
	await expect(notCharged(page)).toBeVisible();

	await follow(page, "Edit basket");
	await page.getByRole("button", { name: /^Remove from Basket: The Steady Business/ }).click();
	await follow(page, "Proceed to Checkout");
	await typeCard(page, goodCard);
	await buyNow(page).click();
	await expect(page).toHaveURL("/orders");
	await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
});

test("fault 40: a duplicate of the tab never cancels the payment, and shows its outcome", async ({
	page,
	context,
	expectRefusal,
}) => {
	expectRefusal("/payments/fulfill", 409);
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
	for (let polls = 1; polls <= 6; polls++) {
		const polled = copy.waitForResponse("**/payments/fulfill");
		await copy.clock.fastForward(15_000);
		await polled;
	}
	expect(canceling).toEqual([]);
	await expect(notCharged(page)).toHaveCount(0);
	await answerBank(page, "Complete");
	await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
	await copy.clock.fastForward(30_000);
	await expect(paid(copy)).toBeAttached();
});
