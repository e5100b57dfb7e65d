import { formatMoney } from "#app/ui/money.ts";
import { addToBasket, checkOut, createAccount, expect, follow, goodCard, test, typeCard } from "../support/browser.ts";
import { book, mixer, monitor, speaker, ultrawide } from "../support/catalogue.ts";

// with the animations that a shopper sees
test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("a shopper fills the basket, creates an account, pays and sees the order", async ({ page, shop }) => {
	const bought = [mixer, book, ultrawide];
	const total = bought.reduce((sum, { priceCents }) => sum + priceCents, 0);
	await page.goto("/");
	await expect(page.getByText("Hello Guest")).toBeVisible();
	await follow(page, "More Info: Stand mixer");
	await expect(page).toHaveURL("/product/49538094");
	await addToBasket(page, "Stand mixer");
	await addToBasket(page, "Stand mixer");
	await follow(page, "Home");
	await addToBasket(page, "The Steady Business");
	await addToBasket(page, "49-inch");

	await follow(page, "Basket, 4 items");
	await expect(page.getByText(`Subtotal (4 items): ${formatMoney(total + mixer.priceCents)}`)).toBeVisible();
	await page
		.getByRole("listitem")
		.filter({ hasText: "Stand mixer" })
		.first()
		.getByRole("button", { name: "Remove from Basket" })
		.click();
	await expect(page.getByText(`Subtotal (3 items): ${formatMoney(total)}`)).toBeVisible();
	await expect(page.getByRole("listitem").filter({ hasText: "Stand mixer" })).toHaveCount(1);

	const email = await createAccount(page);
	await expect(page).toHaveURL("/");
	await follow(page, "Basket, 3 items");
	await expect(page.getByText(`Hello, ${email}`)).toBeVisible();
	await follow(page, "Proceed to Checkout");
	await expect(page.getByText("6 Dozen Street")).toBeVisible();
	await expect(page.getByRole("group").or(page.locator("address"))).toContainText(email);
	await expect(page.getByText(`Order Total: ${formatMoney(total)}`)).toBeVisible();
	await expect(page.getByRole("button", { name: "Remove from Basket" })).toHaveCount(0);

	const buyNow = page.getByRole("button", { name: "Buy Now" });
	await expect(buyNow).toBeDisabled();
	await typeCard(page, goodCard);
	await buyNow.click();

	await expect(page).toHaveURL("/orders");
	const order = page.getByRole("article");
	await expect(order).toHaveCount(1);
	await expect(order).toContainText(`Order Total: ${formatMoney(total)}`);
	await expect(order.getByRole("listitem")).toHaveCount(3);
	await expect(order.getByRole("button")).toHaveCount(0);
	await expect(order.locator("code")).toHaveText(/^pi_[A-Za-z0-9]{24}$/);
	await expect(order.getByRole("time")).toHaveText(/^[A-Z][a-z]+ \d{1,2}(st|nd|rd|th) \d{4}, \d{1,2}:\d\d(am|pm)$/);
	await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();

	const id = await order.locator("code").textContent();
	const receipt = page.getByRole("region", { name: "Your payment" });
	await expect(receipt.getByRole("heading", { name: "Thank you for your order!" })).toBeVisible();
	await expect(receipt).toContainText(`You paid ${formatMoney(total)} for order ${id}.`);
	await expect(receipt).toContainText("Nothing will be sent: this is a demo.");
	await expect(receipt).toContainText("It's in your orders below.");
	for (const { title } of bought) await expect(receipt).toContainText(title);
	await expect(receipt.locator("img")).toHaveCount(3);
	// announced once
	await expect(page.locator("[role=status], [role=alert]").filter({ hasText: "Thank you" })).toHaveCount(1);
	await page.reload();
	await expect(receipt).toContainText(`You paid ${formatMoney(total)} for order ${id}.`);

	// /orders replaced /payment in the history, so Back opens the basket
	await page.goBack();
	await expect(page).toHaveURL("/checkout");
	await expect(page.getByText("Your basket is empty")).toBeVisible();
	await page.goForward();
	await expect(receipt).toContainText(`for order ${id}.`);

	const row = await shop.d1
		.prepare("select o.*, u.email from orders o join users u on u.id = o.user_id where u.email = ?")
		.bind(email)
		.first();
	expect(row).toMatchObject({ status: "paid", amount: total });
	expect(await shop.stripe.paymentIntents.retrieve(String(row?.["payment_intent_id"]))).toMatchObject({
		status: "succeeded",
		amount_received: total,
		metadata: { user_id: row?.["user_id"], items: bought.map(({ id, priceCents }) => `${id}:1:${priceCents}`).join() },
	});
});

test("a guest pays, sees the receipt, and finds the order after creating an account", async ({ page }) => {
	await checkOut(page, "27-inch");
	await typeCard(page, goodCard);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page).toHaveURL("/orders");
	const receipt = page.getByRole("region", { name: "Your payment" });
	await expect(page.getByText(`You paid ${monitor.price} for order pi_`)).toBeVisible();
	await expect(receipt).toContainText(monitor.title);
	await expect(receipt.locator("img")).toHaveCount(1);
	await expect(receipt.getByRole("link", { name: "Sign in or create an account" })).toBeVisible();
	await expect(page.getByRole("article")).toHaveCount(0);
	await expect(page.getByText("to see your orders")).toHaveCount(0);

	await page.reload();
	await expect(receipt).toContainText(`You paid ${monitor.price} for order pi_`);
	await expect(receipt).toContainText(monitor.title);
	// a state that another version of the shop has stored
	await page.evaluate(() => {
		const receipt = JSON.parse(sessionStorage["receipt"]);
		sessionStorage["receipt"] = JSON.stringify({ ...receipt, basket: [null, 1, { title: 2 }] });
	});
	await page.reload();
	await expect(receipt).toContainText(`You paid ${monitor.price} for order pi_`);
	await expect(receipt.locator("img")).toHaveCount(0);
	await page.evaluate(() => {
		sessionStorage["receipt"] = "{";
	});
	await page.reload();
	await expect(page.getByText("to see your orders")).toBeVisible();

	await createAccount(page);
	await follow(page, "Returns & Orders");
	await expect(page).toHaveURL("/orders");
	await expect(page.getByRole("article")).toHaveCount(1);
	await expect(page.getByRole("article")).toContainText(monitor.title);
});

test("an unreadable response to /payments/create shows an error, and Try again recovers", async ({ page }) => {
	await page.route("**/payments/create*", (route) => route.fulfill({ status: 200, body: "not what was asked for" }));
	await checkOut(page, "Smart speaker");
	await expect(page.getByText("We couldn't reach the shop. You have not been charged.")).toBeVisible();
	await expect(page.getByRole("button", { name: "Buy Now" })).toBeDisabled();
	await page.unroute("**/payments/create*");
	await page.getByRole("button", { name: "Try again" }).click();
	await typeCard(page, goodCard);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page).toHaveURL("/orders");
});

test("a payment that is being checked keeps the basket, and the page updates automatically", async ({ page }) => {
	let answers = 0;
	await page.route("**/payments/fulfill", (route) =>
		answers++ < 2 ? route.fulfill({ status: 202, json: { status: "checking" } }) : route.continue(),
	);
	await checkOut(page, "Smart speaker");
	await typeCard(page, goodCard);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page.getByText("We're checking your payment.")).toBeVisible();
	await expect(page.getByRole("button", { name: "Processing" })).toBeDisabled();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await expect(page).toHaveURL("/orders");
	await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
	await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
	expect(answers).toBe(3);
});

test("/orders shows that a payment is being checked, and lists the order once the payment has succeeded", async ({
	page,
	shop,
	expectRefusal,
}) => {
	await shop.disableWebhooks();
	await shop.control({ control: "processing", seconds: 30 });
	await page.route("**/payments/fulfill", (route) => route.fulfill({ status: 503, json: {} }));
	expectRefusal("/payments/fulfill", 503);
	await page.goto("/");
	await addToBasket(page, "Smart speaker");
	await createAccount(page);
	await follow(page, "Basket, 1 item");
	await follow(page, "Proceed to Checkout");
	await typeCard(page, goodCard);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page.getByText("We're checking your payment.")).toBeVisible();

	const orders = await page.context().newPage();
	await orders.goto("/orders");
	await expect(orders.getByText("We're checking one of your payments.")).toBeVisible();
	await shop.advance(31);
	await expect(orders.getByRole("article")).toContainText(speaker.price);
	await expect(orders.getByText("We're checking one of your payments.")).toBeHidden();
});

test("a refunded payment shows a message and keeps the basket", async ({ page }) => {
	await page.route("**/payments/fulfill", (route) => route.fulfill({ json: { status: "refunded" } }));
	await checkOut(page, "Smart speaker");
	await typeCard(page, goodCard);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page.getByText("Your payment was refunded and no order was placed.")).toBeVisible();
	await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	await expect(page.getByRole("button", { name: "Buy Now" })).toBeEnabled();
});
