import type { Page } from "@playwright/test";
import { formatMoney } from "#app/ui/money.ts";
import { answerBank, authenticatedCard, bank } from "../support/bank.ts";
import {
	addToBasket,
	checkOut,
	createAccount,
	declinedCard,
	expect,
	follow,
	goodCard,
	hold,
	test,
	typeCard,
} from "../support/browser.ts";
import { book, changeProduct, mixer, speaker } from "../support/catalogue.ts";
import { checkAfterReconcile, newestIntent } from "../support/invariants.ts";
import { openShop, type Shop } from "../support/shop.ts";

// Tests the faults in tests/faults.md that need a browser, by number. After each test, reconcile runs and the
// invariants must hold.

let before: string | undefined;
test.beforeEach(async ({ shop }) => {
	before = await newestIntent(shop);
});
test.afterEach(({ shop }) => checkAfterReconcile(shop, before));

const buyNow = (page: Page) => page.getByRole("button", { name: "Buy Now" });

/** Lists the PaymentIntents created in this test, newest first. */
async function intents({ stripe }: Shop) {
	return (await stripe.paymentIntents.list({ limit: 20, ...(before && { ending_before: before }) })).data;
}

/** Returns the status and the customer of the newest payment's order. */
async function newestOrder(shop: Shop) {
	return shop.d1
		.prepare("select o.status, u.email from orders o left join users u on u.id = o.user_id where payment_intent_id = ?")
		.bind((await intents(shop))[0]?.id)
		.first();
}

/** Signs in as a new customer without notifying this page. Returns the customer's email. */
async function signInElsewhere(page: Page): Promise<string> {
	const email = `shopper-${crypto.randomUUID()}@example.com`;
	await page.context().request.post("/login", {
		headers: { Origin: new URL(page.url()).origin },
		form: { email, password: "correct horse battery", intent: "create-account" },
	});
	return email;
}

test.describe("fault 1: the browser is closed right after the card is confirmed", () => {
	for (const teller of ["the webhook", "reconcile"]) {
		test(`${teller} marks the order as paid`, async ({ page, shop }) => {
			if (teller === "reconcile") await shop.disableWebhooks();
			await page.route("**/payments/fulfill", () => page.close());
			await checkOut(page, "Smart speaker");
			await typeCard(page, goodCard);
			const closed = page.waitForEvent("close");
			await buyNow(page).click();
			await closed;
			if (teller === "reconcile") await shop.reconcile();
			await expect.poll(async () => (await newestOrder(shop))?.["status"]).toBe("paid");
		});
	}
});

test.describe("fault 9: a card is declined, and a valid one is then used with the same PaymentIntent", () => {
	test("a declined card shows the reason, and another card completes the payment", async ({ page, expectRefusal }) => {
		await page.goto("/");
		await addToBasket(page, "Smart speaker");
		await createAccount(page);
		await follow(page, "Basket, 1 item");
		await follow(page, "Proceed to Checkout");

		await typeCard(page, declinedCard);
		const buyNow = page.getByRole("button", { name: "Buy Now" });
		const intents = new Set<string>();
		page.on("request", (request) => {
			const [, id] = /payment_intents\/(pi_\w+)\/confirm/.exec(request.url()) ?? [];
			if (id) {
				intents.add(id);
				expectRefusal(new URL(request.url()).pathname, 402);
			}
		});
		await buyNow.click();
		await expect(page.getByText("Your card was declined.")).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		await expect(buyNow).toBeEnabled();

		await typeCard(page, goodCard);
		await buyNow.click();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByRole("article")).toHaveCount(1);
		await expect(page.getByRole("article")).toContainText(speaker.price);
		expect(intents.size).toBe(1);
	});
});

test.describe("fault 10: 3-D Secure fails or is abandoned", () => {
	for (const [way, happen, reason] of [
		["failed", (page: Page) => answerBank(page, "Fail"), "We are unable to authenticate your payment method."],
		["abandoned", (page: Page) => page.keyboard.press("Escape"), "We are unable to authenticate your payment method."],
	] as const) {
		test(`${way} authentication shows the reason, charges nothing and keeps the basket`, async ({ page, shop }) => {
			await checkOut(page, "Smart speaker");
			await typeCard(page, authenticatedCard);
			await buyNow(page).click();
			await expect(bank(page).getByRole("heading", { name: "Confirm your payment" })).toBeFocused();
			await happen(page);
			await expect(page.getByRole("alert")).toContainText(reason);
			await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
			await expect(buyNow(page)).toBeEnabled();
			await expect(page).toHaveURL("/payment");
			expect(await newestOrder(shop)).toMatchObject({ status: "placed" });
			expect((await intents(shop))[0]).toMatchObject({ status: "requires_payment_method", amount_received: 0 });
		});
	}
});

test.describe("fault 11: Buy Now is activated twice", () => {
	for (const [way, press] of [
		["a double click", (page: Page) => buyNow(page).dblclick()],
		[
			"pressing Enter and clicking",
			async (page: Page) => {
				await buyNow(page).focus();
				await page.keyboard.down("Enter");
				await page.getByRole("button", { name: /Buy Now|Processing/ }).click({ force: true });
			},
		],
		["submitting the form twice simultaneously", sendTwice],
	] as const) {
		test(`${way} confirms the payment once`, async ({ page, shop }) => {
			const asked: string[] = [];
			page.on("request", (request) => {
				if (/payments\/place|\/confirm$/.test(request.url())) asked.push(new URL(request.url()).pathname);
			});
			await checkOut(page, "Smart speaker");
			await typeCard(page, goodCard);
			await expect(buyNow(page)).toBeEnabled();
			await press(page);
			await expect(page).toHaveURL("/orders");
			expect(asked).toEqual(["/payments/place", expect.stringMatching(/\/confirm$/)]);
			expect(await intents(shop)).toHaveLength(1);
		});
	}

	async function sendTwice(page: Page): Promise<void> {
		await page.locator("form").evaluate((form: HTMLFormElement) => {
			form.requestSubmit();
			form.requestSubmit();
		});
	}
});

test.describe("fault 12: two tabs pay the same basket", () => {
	test("each tab has its own PaymentIntent, and /orders shows both orders", async ({ page, shop }) => {
		await page.goto("/");
		await createAccount(page);
		const tabs = [page, await page.context().newPage()];
		for (const tab of tabs) {
			await checkOut(tab, "Smart speaker");
			await typeCard(tab, goodCard);
		}
		await Promise.all(tabs.map((tab) => buyNow(tab).click()));
		for (const tab of tabs) await expect(tab).toHaveURL("/orders");
		await page.reload();
		await expect(page.getByRole("article")).toHaveCount(2);
		expect(await intents(shop)).toHaveLength(2);
	});
});

test.describe("fault 13: an older create response arrives last, or the confirmation's response is lost", () => {
	test("the older create response is ignored, and the displayed total is charged", async ({ page, shop }) => {
		let letGo = () => {};
		const held = new Promise<void>((resolve) => {
			letGo = resolve;
		});
		await page.route(`**/payments/create?total=${speaker.priceCents}`, async (route) => {
			const response = await route.fetch();
			await held;
			await route.fulfill({ response });
		});
		await checkOut(page, "Smart speaker");
		await follow(page, "Half Dozen");
		await addToBasket(page, "Stand mixer");
		await follow(page, "Basket, 2 items");
		await follow(page, "Proceed to Checkout");
		await typeCard(page, goodCard);
		await expect(buyNow(page)).toBeEnabled();
		letGo();
		await buyNow(page).click();
		await expect(page.getByText(`You paid ${formatMoney(speaker.priceCents + mixer.priceCents)}`)).toBeVisible();
		const succeeded = (await intents(shop)).filter(({ status }) => status === "succeeded");
		expect(succeeded).toMatchObject([{ amount_received: speaker.priceCents + mixer.priceCents }]);
	});

	test("a payment that turns out to have succeeded removes only its own items from the basket", async ({
		page,
		expectRefusal,
	}) => {
		// the browser receives a decline, and the confirmation is sent later
		let late: { url: string; data: string } | undefined;
		await page.route("**/payment_intents/*/confirm", (route, request) => {
			late = { url: request.url(), data: request.postData() ?? "" };
			expectRefusal(new URL(late.url).pathname, 402);
			return route.fulfill({
				status: 402,
				json: { error: { type: "card_error", code: "card_declined", message: "Your card was declined." } },
			});
		});
		await checkOut(page, "Smart speaker");
		await typeCard(page, goodCard);
		await buyNow(page).click();
		await expect(page.getByText("Your card was declined. Nothing was charged; try another card.")).toBeVisible();
		await page.unroute("**/payment_intents/*/confirm");

		expectRefusal("/payments/create", 409);
		await follow(page, "Half Dozen");
		await addToBasket(page, "Stand mixer");
		const headers = { "Content-Type": "application/x-www-form-urlencoded" };
		await page.request.post(late?.url ?? "", { headers, data: late?.data ?? "" });
		await follow(page, "Basket, 2 items");
		await follow(page, "Proceed to Checkout");
		await expect(page.getByText(`Your payment of ${speaker.price} went through.`)).toContainText(
			"The other items in your basket haven't been paid for.",
		);
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		await expect(page.getByText(`Order Total: ${mixer.price}`)).toBeVisible();
		await typeCard(page, goodCard);
		await buyNow(page).click();
		await expect(page.getByText(`You paid ${mixer.price}`)).toBeVisible();
	});
});

test.describe("fault 14: the price changes between create and place", () => {
	test("a changed price is shown before any charge, and the next attempt pays the new price", async ({
		page,
		shop,
		expectRefusal,
	}) => {
		await checkOut(page, "The Steady Business");
		await typeCard(page, goodCard);
		expectRefusal("/payments/place", 409);
		const restoreCatalog = await changeProduct(shop, book.id, "repriced");
		const higher = formatMoney(book.priceCents + 100);
		try {
			await page.getByRole("button", { name: "Buy Now" }).click();
			await expect(page.getByText(`by Mara Ellington now costs ${higher}. You have not been charged`)).toBeVisible();
			await expect(page.getByText(`Order Total: ${higher}`)).toBeVisible();
			await page.getByRole("button", { name: "Buy Now" }).click();
			await expect(page.getByText(`You paid ${higher}`)).toBeVisible();
		} finally {
			await restoreCatalog();
		}
	});
});

test.describe("fault 15: another tab signs in to another account", () => {
	test("Buy Now on a page with a stale sign-in state charges nothing and refreshes the page, and the next attempt pays", async ({
		page,
		expectRefusal,
	}) => {
		expectRefusal("/payments/place", 409);
		await checkOut(page, "Smart speaker");
		await typeCard(page, goodCard);
		const email = `shopper-${crypto.randomUUID()}@example.com`;
		// simulates a sign-in in another tab whose notification this page missed
		await page.context().request.post("/login", {
			headers: { Origin: new URL(page.url()).origin },
			form: { email, password: "correct horse battery", intent: "create-account" },
		});
		await page.getByRole("button", { name: "Buy Now" }).click();
		await expect(page.getByText("You signed in or out in another tab. You have not been charged.")).toBeVisible();
		await expect(page.locator("address")).toContainText(email);
		await page.getByRole("button", { name: "Buy Now" }).click();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByRole("article")).toContainText(speaker.price);
	});

	test("a sign-in between place and fulfill does not change the order's owner", async ({ page, shop }) => {
		await page.goto("/");
		const email = await createAccount(page);
		await addToBasket(page, "Smart speaker");
		await follow(page, "Basket, 1 item");
		await follow(page, "Proceed to Checkout");
		await typeCard(page, goodCard);
		await page.route("**/payments/fulfill", async (route) => {
			await signInElsewhere(page);
			await route.continue();
		});
		await buyNow(page).click();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByRole("article")).toHaveCount(0);
		expect(await newestOrder(shop)).toEqual({ status: "paid", email });
	});
});

test.describe("fault 16: two tabs place orders as guests and are closed before calling fulfill", () => {
	test("an account created in this browser claims both orders", async ({ page }) => {
		const tabs = [await page.context().newPage(), await page.context().newPage()];
		for (const tab of tabs) {
			await tab.route("**/payments/fulfill", () => tab.close());
			await checkOut(tab, "Smart speaker");
			await typeCard(tab, goodCard);
		}
		const closed = tabs.map((tab) => tab.waitForEvent("close"));
		await Promise.all(tabs.map((tab) => buyNow(tab).click()));
		await Promise.all(closed);
		await page.goto("/");
		await createAccount(page);
		await follow(page, "Returns & Orders");
		await expect(page.getByRole("article")).toHaveCount(2);
	});
});

test.describe("fault 17: the shopper signs out in another tab during payment", () => {
	test("the payment succeeds, and the order belongs to the customer", async ({ page, shop }) => {
		await page.goto("/");
		const email = await createAccount(page);
		await addToBasket(page, "Smart speaker");
		await follow(page, "Basket, 1 item");
		await follow(page, "Proceed to Checkout");
		await typeCard(page, goodCard);
		const letGo = await hold(page, "**/payments/fulfill");
		await buyNow(page).click();
		await expect.poll(async () => (await intents(shop))[0]?.status).toBe("succeeded");
		const other = await page.context().newPage();
		await other.goto("/");
		await other.getByRole("button", { name: "Sign Out" }).click();
		await expect(page.locator("address")).toContainText("Guest");
		letGo();
		await expect(page).toHaveURL("/orders");
		await expect(page.getByText(`Your payment of ${speaker.price} went through.`)).toBeVisible();
		expect(await newestOrder(shop)).toEqual({ status: "paid", email });
	});
});

test.describe("fault 21: the payment script fails to load, or the network drops during the confirmation", () => {
	test("if the payment script fails to load, the page shows an error and keeps the basket, and Try again loads the script", async ({
		page,
		expectWarning,
		expectRefusal,
	}) => {
		expectWarning("The payment script could not be loaded.");
		await page.goto("/");
		await addToBasket(page, "Smart speaker");
		await follow(page, "Basket, 1 item");
		await page.route("**/stripe-emulator/stripe.js", (route) => route.fulfill({ status: 500 }));
		expectRefusal("/stripe-emulator/stripe.js", 500);
		await follow(page, "Proceed to Checkout");
		await expect(page.getByText("We couldn't load the payment form.")).toBeVisible();
		await page.unroute("**/stripe-emulator/stripe.js");
		await page.getByRole("button", { name: "Try again" }).click();
		await typeCard(page, goodCard);
		await page.getByRole("button", { name: "Buy Now" }).click();
		await expect(page).toHaveURL("/orders");
	});

	test("a payment whose confirmation was never sent is canceled and keeps the basket, and another attempt succeeds", async ({
		page,
		shop,
		expectRefusal,
		expectWarning,
	}) => {
		expectWarning("Failed to load resource: net::ERR_INTERNET_DISCONNECTED");
		expectRefusal("/payments/fulfill", 409);
		await page.route("**/payment_intents/*/confirm", (route) => route.abort("internetdisconnected"));
		await checkOut(page, "Smart speaker");
		await typeCard(page, goodCard);
		await page.clock.install();
		await buyNow(page).click();
		await expect(page.getByText("We're checking your payment.")).toBeVisible();
		await page.clock.fastForward(15_000);
		await expect(page.getByText("Your payment did not go through. You have not been charged.")).toBeVisible();
		await page.unroute("**/payment_intents/*/confirm");
		await follow(page, "Half Dozen");
		await follow(page, "Basket, 1 item");
		await follow(page, "Proceed to Checkout");
		await typeCard(page, goodCard);
		await buyNow(page).click();
		await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
		expect((await intents(shop)).map(({ status }) => status)).toEqual(["succeeded", "canceled"]);
	});

	test("a payment is shown as being checked while offline, and as not charged once the network is back", async ({
		page,
		expectRefusal,
		expectWarning,
	}) => {
		expectWarning("Failed to load resource: net::ERR_INTERNET_DISCONNECTED");
		expectRefusal("/payments/fulfill", 409);
		await checkOut(page, "Smart speaker");
		await typeCard(page, goodCard);
		await page.clock.install();
		await page.route("**/payment_intents/*/confirm", async (route) => {
			await page.context().setOffline(true);
			await route.abort("internetdisconnected");
		});
		await buyNow(page).click();
		await expect(page.getByText("We're checking your payment.")).toBeVisible();
		await page.clock.fastForward(60_000);
		await expect(page.getByText("We're checking your payment.")).toBeVisible();
		await page.context().setOffline(false);
		await expect(page.getByText("Your payment did not go through. You have not been charged.")).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	});
});

test.describe("fault 25: the shopper leaves /payment or adds an item during the payment", () => {
	test("during a payment, Buy Now reads Processing and links are blocked", async ({ page }) => {
		await checkOut(page, "12.9-inch tablet");
		await typeCard(page, goodCard);
		let letGo = () => {};
		const held = new Promise<void>((resolve) => {
			letGo = resolve;
		});
		await page.route("**/payments/place", async (route) => {
			await held;
			await route.continue();
		});
		await page.getByRole("button", { name: "Buy Now" }).click();
		await expect(page.getByRole("button", { name: "Processing" })).toBeDisabled();
		await page.getByRole("link", { name: "Returns & Orders" }).click();
		await expect(page.getByText("Please stay on this page until it's done.")).toBeVisible();
		await expect(page).toHaveURL("/payment");
		letGo();
		await expect(page).toHaveURL("/orders");
	});

	test("during a payment, Back is blocked, and closing the tab requires confirmation", async ({ page }) => {
		await checkOut(page, "12.9-inch tablet");
		await typeCard(page, goodCard);
		const letGo = await hold(page, "**/payments/place");
		await buyNow(page).click();
		await expect(page.getByRole("button", { name: "Processing" })).toBeDisabled();
		await page.evaluate(() => history.back());
		await expect(page.getByText("Please stay on this page until it's done.")).toBeVisible();
		await expect(page).toHaveURL("/payment");
		const asked = page.waitForEvent("dialog");
		void page.close({ runBeforeUnload: true });
		const dialog = await asked;
		expect(dialog.type()).toBe("beforeunload");
		await dialog.dismiss();
		letGo();
		await expect(page).toHaveURL("/orders");
	});

	test("a payment's outcome is announced on any page, and the basket is locked until then", async ({ page }) => {
		let isKnown = false;
		await page.route("**/payments/fulfill", (route) =>
			isKnown ? route.continue() : route.fulfill({ status: 202, json: { status: "checking" } }),
		);
		await checkOut(page, "Smart speaker");
		await typeCard(page, goodCard);
		await page.clock.install();
		await buyNow(page).click();
		await expect(page.getByText("We're checking your payment.")).toBeVisible();
		await follow(page, "Half Dozen");
		await addToBasket(page, "Stand mixer");
		await expect(page.getByText("Your basket is locked while we process your payment.")).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		isKnown = true;
		await page.clock.fastForward(30_000);
		await expect(page.getByText(`Your payment of ${speaker.price} went through.`)).toBeVisible();
		await expect(page).toHaveURL("/");
		await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
		await addToBasket(page, "Stand mixer");
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	});
});

test.describe("fault 42: the payment script, or any frame of it, never responds", () => {
	const message = "We couldn't load the payment form. Your basket is unchanged.";
	const scripts = "**/stripe-emulator/stripe.js*";
	const frames = "**/stripe-emulator/card-frame";
	const tryAgain = (page: Page) => page.getByRole("button", { name: "Try again" });

	/** Opens the payment page with an item in the basket and a clock that the test controls. */
	async function openPayment(page: Page, home = "/"): Promise<void> {
		await page.goto(home);
		await addToBasket(page, "Smart speaker");
		await follow(page, "Basket, 1 item");
		await page.clock.install();
		const created = page.waitForResponse("**/payments/create*");
		await follow(page, "Proceed to Checkout");
		await (await created).finished();
	}

	async function expectTimeout(page: Page): Promise<void> {
		await page.clock.fastForward(19_000);
		await expect(page.locator(".field")).toHaveAttribute("aria-busy", "true");
		await page.clock.fastForward(1000);
		await expect(page.getByText(message)).toBeVisible();
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	}

	async function pay(page: Page): Promise<void> {
		await typeCard(page, goodCard);
		await buyNow(page).click();
		await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
	}

	test("after 20 seconds without the script, the page shows an error, and each Try again requests the script", async ({
		page,
		expectWarning,
	}) => {
		expectWarning("The payment script could not be loaded.");
		let requests = 0;
		await page.route(scripts, () => void requests++);
		await openPayment(page);
		await expect.poll(() => requests).toBe(1);
		await expectTimeout(page);
		await tryAgain(page).click();
		await expect.poll(() => requests).toBe(2);
		await expectTimeout(page);
		await page.unroute(scripts);
		await tryAgain(page).click();
		await pay(page);
	});

	test("a script that loads after the error is used by Try again", async ({ page, expectWarning }) => {
		expectWarning("The payment script could not be loaded.");
		const requested = page.waitForRequest(scripts);
		const letGo = await hold(page, scripts);
		await openPayment(page);
		await requested;
		await expectTimeout(page);
		letGo();
		await page.waitForFunction(() => "Stripe" in window);
		await expect(page.getByText(message)).toBeVisible();
		await page.unroute(scripts);
		await page.route(scripts, (route) => route.abort());
		await tryAgain(page).click();
		await pay(page);
	});

	test("after 20 seconds without a ready frame, the page shows an error, and Try again requests the frame", async ({
		page,
	}) => {
		// the frame connects, because otherwise the emulator reports an error itself
		const body = '<script>parent.postMessage("stripe-emulator-hello", "*")</script>';
		await page.route(frames, (route) => route.fulfill({ contentType: "text/html", body }));
		await openPayment(page);
		await expect(page.frameLocator("iframe").locator("script")).toBeAttached();
		await expectTimeout(page);
		await page.unroute(frames);
		await tryAgain(page).click();
		await pay(page);
	});

	test("the timeout and Try again also apply to Stripe's own script", async ({ page, shop, expectWarning }) => {
		expectWarning("The payment script could not be loaded.");
		const withKeys = await openShop({
			secrets: {
				STRIPE_SECRET_KEY: "sk_test_1",
				STRIPE_PUBLISHABLE_KEY: "pk_test_1",
				STRIPE_WEBHOOK_SECRET: "whsec_1",
			},
		});
		const requested: string[] = [];
		await page.route("https://js.stripe.com/**", (_, request) => void requested.push(new URL(request.url()).pathname));
		await page.route("**/payments/create?*", (route) => route.fulfill({ json: { clientSecret: "pi_1_secret_1" } }));
		await openPayment(page, withKeys.url.href);
		await expect.poll(() => requested).toHaveLength(1);
		await expectTimeout(page);
		// a script of the requested version, which @stripe/stripe-js compares with its own
		const [, version] = requested[0]?.split("/") ?? [];
		const script = await (await shop.fetch("/stripe-emulator/stripe.js")).text();
		await page.route("https://js.stripe.com/*/stripe.js*", (route) =>
			route.fulfill({ contentType: "text/javascript", body: `${script};Stripe.version="${version}"` }),
		);
		await tryAgain(page).click();
		await expect(page.locator("iframe")).toHaveAttribute("src", /^https:\/\/js\.stripe\.com\//);
		await withKeys.close();
	});
});

test("when /orders fails to load, a message says that the orders are safe, and Try again loads them", async ({
	page,
	shop,
	expectRefusal,
}) => {
	await page.goto("/");
	await addToBasket(page, "Stand mixer");
	await createAccount(page);
	const fails = { control: "shop_fault", path: "/orders", service: "d1", fault: "before" } as const;
	for (const call of [1, 2]) await shop.control({ ...fails, call });
	expectRefusal("/orders.data", 500);
	await follow(page, "Returns & Orders");
	await expect(page.getByRole("alert")).toContainText("Your orders are safe.");
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await page.getByRole("button", { name: "Try again" }).click();
	await expect(page.getByText("You haven't ordered anything yet.")).toBeVisible();
});
