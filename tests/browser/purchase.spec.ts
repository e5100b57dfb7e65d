import type { Page } from "@playwright/test";
import { deliveryAddress, receiptNotice } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import { expect, hold, signInOverHttp, test } from "../support/browser.ts";
import { buyNow, goodCard, payWith, typeCard } from "../support/card.ts";
import { book, mixer, speaker } from "../support/catalogue.ts";
import { addToBasket, checkOut, createAccount, follow } from "../support/shopper.ts";
import { becomeVisible, waitForCode } from "../support/window.ts";

// with the animations that a shopper sees
test.use({ contextOptions: { reducedMotion: "no-preference" } });

const receipt = (page: Page) => page.getByRole("region", { name: "Your payment" });
const orders = (page: Page) => page.getByRole("article");

test("a shopper fills the basket, creates an account, pays and sees the order", async ({ page, shop }) => {
	const requesting: string[] = [];
	page.on("request", (request) => {
		if (request.url().endsWith("/stripe-emulator/stripe.js")) requesting.push(new URL(page.url()).pathname);
	});
	const bought = [mixer, book, speaker];
	const total = bought.reduce((sum, { priceCents }) => sum + priceCents, 0);
	await page.goto("/");
	await waitForCode(page);
	await follow(page, `More Info: ${mixer.title}`);
	await expect(page).toHaveURL(`/product/${mixer.id}`);
	await addToBasket(page, mixer.title);
	await addToBasket(page, mixer.title);
	await follow(page, "Home");
	await addToBasket(page, book.title);
	await addToBasket(page, speaker.title);

	await follow(page, "Basket, 4 items");
	await expect(page.getByText(`Subtotal (4 items): ${formatMoney(total + mixer.priceCents)}`)).toBeVisible();
	const mixers = page.getByRole("listitem").filter({ hasText: mixer.title });
	await mixers.first().getByRole("button", { name: "Remove from Basket" }).click();
	await expect(page.getByText(`Subtotal (3 items): ${formatMoney(total)}`)).toBeVisible();
	await expect(mixers).toHaveCount(1);

	const email = await createAccount(page);
	await expect(page).toHaveURL("/");
	await follow(page, "Basket, 3 items");
	await follow(page, "Proceed to Checkout");
	await expect(page.getByText(`Order Total: ${formatMoney(total)}`)).toBeVisible();
	await expect(buyNow(page)).toBeDisabled();
	await expect(page.getByLabel("Email for your receipt"), "the account's email is used").toHaveCount(0);
	await payWith(page, goodCard);

	await expect(page).toHaveURL("/orders");
	expect(requesting, "the pages that request the payment provider's script").toEqual(["/payment"]);
	const order = orders(page);
	await expect(order).toHaveCount(1);
	await expect(order).toContainText(`Order Total: ${formatMoney(total)}`);
	await expect(order.getByRole("listitem")).toHaveCount(3);
	await expect(order.locator("code")).toHaveText(/^pi_[A-Za-z0-9]{24}$/);
	await expect(order).toContainText(`Order number ${(await order.locator("code").textContent())?.slice(-8)}`);
	await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();

	const id = String(await order.locator("code").textContent());
	await expect(page.getByRole("heading", { level: 1, name: "Your Orders" })).toBeFocused();
	await expect(receipt(page).getByRole("heading", { name: "Thank you for your order!" })).toBeVisible();
	await expect(receipt(page)).toContainText(`You paid ${formatMoney(total)}. ${receiptNotice}`);
	await expect(receipt(page).getByRole("heading", { level: 2 })).toHaveText([
		...["Thank you for your order!", /^Order of /, "Delivery address"],
	]);
	await expect(receipt(page).locator("address")).toHaveText(`${email}${deliveryAddress.join(", ")}`);
	for (const { title } of bought) await expect(order).toContainText(title);
	await expect(page.getByText("went through")).toHaveCount(0);
	await test.step("the order's number can be selected", async () => {
		await order.locator("code").selectText();
		expect(await page.evaluate(() => String(getSelection()))).toBe(id);
	});
	await test.step("while it is refunded, nothing thanks for it", async () => {
		const mark = (status: string) =>
			shop.d1.prepare("update orders set status = ? where payment_intent_id = ?").bind(status, id).run();
		await mark("refunded");
		await becomeVisible(page);
		await expect(order).toContainText(`Refunded ${formatMoney(total)}`);
		await expect(receipt(page)).toHaveCount(0);
		await mark("paid");
	});
	const expectOlderOrder = async () => {
		await expect(page.getByRole("heading", { level: 1, name: "Your Orders" })).toBeVisible();
		await expect(order).toHaveCount(1);
		await expect(order).not.toHaveClass(/\bchanged\b/);
		await expect(receipt(page)).toHaveCount(0);
	};
	await page.reload();
	await expectOlderOrder();

	// /orders replaced /payment in the history, so Back opens the basket
	await page.goBack();
	await expect(page).toHaveURL("/checkout");
	await expect(page.getByText("Your basket is empty")).toBeVisible();
	await page.goForward();
	await expectOlderOrder();

	const owner = "select o.status, u.email from orders o join users u on u.id = o.user_id where payment_intent_id = ?";
	expect(await shop.d1.prepare(owner).bind(id).first()).toEqual({ status: "paid", email });
	const payment = { status: "succeeded", amount_received: total, receipt_email: email };
	expect(await shop.stripe.paymentIntents.retrieve(id)).toMatchObject(payment);
});

test("a guest on a shared computer removes the order from the browser", async ({
	page,
	context,
	shop,
	expectWarning,
}) => {
	expectWarning("503 /orders.data");
	await checkOut(page, mixer.title);
	await payWith(page, goodCard);
	await expect(receipt(page)).toBeVisible();
	const id = String(await orders(page).locator("code").textContent());
	const remove = page.getByRole("button", { name: "Remove your orders from this browser" });
	await test.step("a request that fails says so and keeps the receipt", async () => {
		await page.route("**/orders.data", (route) => route.fulfill({ status: 503 }));
		await remove.click();
		await expect(receipt(page).getByRole("alert")).toHaveText("The shop isn't responding right now. Please try again.");
		await page.unroute("**/orders.data");
	});
	await test.step("another press removes the message until its answer", async () => {
		const answer = await hold(page, "**/orders.data");
		await remove.click();
		await expect(receipt(page).getByRole("alert")).toHaveCount(0);
		answer();
	});
	const removed = page.getByRole("status").first();
	await expect(removed).toHaveText(`Your orders were removed from this browser.Keep this order number: ${id}`);
	await expect(receipt(page)).toHaveCount(0);
	await expect(remove).toHaveCount(0);
	await expect(page.getByRole("heading", { name: "Your Orders" })).toBeFocused();
	await test.step("the next account gets nothing, and the order stays paid", async () => {
		await createAccount(page);
		await follow(page, "Returns & Orders");
		await expect(page.getByText("You haven't ordered anything yet.")).toBeVisible();
		expect(
			await shop.d1.prepare("select status, user_id from orders where payment_intent_id = ?").bind(id).first(),
		).toEqual({
			status: "paid",
			user_id: null,
		});
		const kept = [await context.storageState(), await page.evaluate(() => ({ ...sessionStorage }))];
		expect(JSON.stringify(kept)).not.toContain(id);
	});
});

test("a guest pays and sees the receipt until an account has claimed the order", async ({ page }) => {
	await checkOut(page, mixer.title);
	await follow(page, "Edit basket");
	await follow(page, "Proceed to Checkout");
	await payWith(page, goodCard);
	await expect(page).toHaveURL("/orders");
	const paid = `You paid ${mixer.price}.`;
	await expect(receipt(page)).toContainText(paid);
	const thanks = receipt(page).getByRole("heading", { name: "Thank you for your order!" });
	await expect(thanks).toBeVisible();
	await expect(receipt(page).getByRole("link", { name: "Sign In or Create Account" })).toBeVisible();
	await expect(orders(page)).toHaveCount(1);
	await expect(receipt(page).getByRole("article")).toContainText(mixer.title);
	await expect(page.getByText("to see your orders")).toHaveCount(0);

	/** The tab shows the order on every later visit, without the thanks. */
	const expectKept = async () => {
		await expect(receipt(page).getByRole("article")).toContainText(mixer.title);
		await expect(receipt(page)).toContainText(
			"The next person who signs in or creates an account in this browser gets this order.",
		);
		await expect(thanks).toHaveCount(0);
		await expect(page.getByText(paid)).toHaveCount(0);
	};
	await test.step("Back to the earlier visit of /payment shows that there is nothing to pay, also after Forward and a reload", async () => {
		const nothingToPay = async () => {
			await expect(page).toHaveURL("/payment");
			await expect(buyNow(page)).toBeDisabled();
			await expect(buyNow(page)).toHaveAccessibleDescription(/Add something to your basket first\.$/);
			await expect(page.getByText("Your basket is empty")).toBeVisible();
		};
		await page.goBack();
		await expect(page).toHaveURL("/checkout");
		await page.goBack();
		await nothingToPay();
		await page.goForward();
		await expect(page).toHaveURL("/checkout");
		await page.goBack();
		await nothingToPay();
		await page.reload();
		await nothingToPay();
		await page.goForward();
		await page.goForward();
		await expectKept();
	});

	await follow(page, "Basket, 0 items");
	await expect(page.getByRole("heading", { name: "Your basket" })).toBeVisible();
	await page.goBack();
	await expectKept();
	await follow(page, "Home");
	await follow(page, "Returns & Orders");
	await expectKept();
	const stored = await page.evaluate(() => String(sessionStorage["tab"]));
	await page.reload();
	await expectKept();
	await expect(receipt(page).locator("img")).toHaveCount(1);
	const damaged = JSON.stringify({ receipt: { ...JSON.parse(stored).receipt, items: [{}] } });
	await page.evaluate((damaged) => void sessionStorage.setItem("tab", damaged), damaged);
	await page.reload();
	await expect(page.getByText("to see your orders")).toBeVisible();
	// the page deletes what it cannot show
	expect(await page.evaluate(() => sessionStorage.getItem("tab"))).toBe("{}");
	await page.evaluate((stored) => void sessionStorage.setItem("tab", stored), stored);
	await page.reload();
	await expectKept();
	await test.step("the account lists the order", async () => {
		await createAccount(page);
		await follow(page, "Returns & Orders");
		await expect(orders(page)).toHaveCount(1);
		await expect(orders(page)).toContainText(mixer.title);
	});
	await page.getByRole("button", { name: "Sign Out" }).click();
	await expect(page.getByText("Hello Guest")).toBeVisible();
	for (const path of ["/", "/login", "/orders"]) {
		await page.goBack();
		await expect(page).toHaveURL(path);
	}
	await expect(page.getByText("to see your orders")).toBeVisible();
	await expect(receipt(page)).toHaveCount(0);
	expect(await page.evaluate(() => JSON.stringify([history.state, { ...sessionStorage }]))).not.toMatch(/pi_|amount/);
});

test("/orders shows that a payment is being checked until it lists the order", async ({ page, context, shop }) => {
	await shop.disableWebhooks();
	await shop.control({ control: "processing", seconds: 30 });
	const customer = await signInOverHttp(context, shop);
	await customer.pay([speaker.id]);
	await page.clock.install();
	// the feed reloads the page's data as soon as it is open
	const opened = page.waitForResponse(/\/orders\.data/);
	const connected = page.waitForEvent("websocket");
	await page.goto("/orders");
	await opened;
	const feed = await connected;
	const checking = page.getByText("We're checking your payment.");
	await expect(checking).toBeVisible();
	await test.step("a page that is opened meanwhile is not reloaded", async () => {
		await follow(page, "Basket, 0 items");
		await expect(page.getByRole("heading", { name: "Your basket" })).toBeVisible();
		// React runs the effects' cleanup after it has shown the next page, and a reload in between has no effect
		await expect.poll(() => feed.isClosed()).toBe(true);
		const reloads: string[] = [];
		page.on("request", (request) => {
			if (request.url().includes("/checkout.data")) reloads.push(request.url());
		});
		await page.clock.fastForward(3000);
		const reconnected = page.waitForEvent("websocket");
		await follow(page, "Returns & Orders");
		await reconnected;
		await page.waitForResponse(/\/orders\.data/);
		await expect(checking).toBeVisible();
		expect(reloads).toEqual([]);
	});
	await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
	await shop.advance(31);
	// a poll may just have been sent
	for (const _ of ["first", "second"]) await page.clock.fastForward(3000);
	await expect(orders(page)).toContainText(speaker.price);
	await expect(checking).toBeHidden();
});

for (const size of [
	{ width: 390, height: 844 },
	{ width: 1280, height: 800 },
]) {
	test(`a page of ${size.width} px shows what is paid until the receipt, without a layout shift`, async ({ page }) => {
		await page.setViewportSize(size);
		await page.addInitScript(recordShifts);
		await checkOut(page, speaker.title);
		await typeCard(page, goodCard);
		await expect(buyNow(page)).toBeEnabled();
		await recordFrames(page);
		const release = await hold(page, "**/orders.data");
		await buyNow(page).click();
		const button = page.getByRole("button", { name: "✓ Paid", exact: true });
		await expect(button).toBeDisabled();
		await expect(button).toHaveAccessibleDescription(
			`Order Total: ${speaker.price} Your payment of ${speaker.price} went through.`,
		);
		await expect(button).toBeFocused();
		await expect(page.getByRole("heading", { name: "Checkout (1 item)" })).toBeVisible();
		await expect(page.getByText(`Order Total: ${speaker.price}`)).toBeVisible();
		release();
		await expect(receipt(page)).toBeVisible();
		await expect(page.locator(".toast")).toHaveCount(0);
		expect(await page.evaluate(() => Reflect.get(window, "wrong"))).toEqual([]);
		expect(await page.evaluate(() => Reflect.get(window, "shifts"))).toEqual([]);
	});
}

/** Records the layout shifts of a document that no click or key has caused, and all of a payment's. */
function recordShifts(): void {
	const shifts: string[] = [];
	Object.assign(window, { shifts });
	new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) {
			const isPaying = /Processing|Paid/.test(document.querySelector("main [type=submit]")?.textContent ?? "");
			if (isPaying || !Reflect.get(entry, "hadRecentInput"))
				shifts.push(`${location.pathname} ${Reflect.get(entry, "value")}`);
		}
	}).observe({ type: "layout-shift", buffered: true });
}

/** Records what frames of /payment show that is not about the paid basket. */
function recordFrames(page: Page): Promise<void> {
	return page.evaluate((zero) => {
		const wrong: string[] = [];
		Object.assign(window, { wrong });
		const check = () => {
			if (location.pathname !== "/payment") return;
			const text = document.querySelector("main")?.textContent ?? "";
			wrong.push(...["(0 items)", "basket is empty", `Order Total: ${zero}`].filter((found) => text.includes(found)));
			if (document.querySelector(".toast")) wrong.push("toast");
			requestAnimationFrame(check);
		};
		check();
	}, formatMoney(0));
}
