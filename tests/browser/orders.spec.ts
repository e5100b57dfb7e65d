import type { BrowserContext, Page, WebSocketRoute } from "@playwright/test";
import { logo } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import { expect, hold, signInOverHttp, test } from "../support/browser.ts";
import { goodCard, payWith } from "../support/card.ts";
import { speaker } from "../support/catalogue.ts";
import { type Customer, idOf } from "../support/customer.ts";
import { insertOrders } from "../support/seed-data.ts";
import type { Shop } from "../support/shop.ts";
import { checkOut } from "../support/shopper.ts";
import { becomeVisible, expectNotReloaded, markDocument } from "../support/window.ts";

const orders = (page: Page) => page.getByRole("article");

/** Signs in as a new customer and opens /orders. Returns the customer's phone, which acts as a second browser. */
async function customer(page: Page, shop: Shop): Promise<Customer> {
	const phone = await signInOverHttp(page.context(), shop);
	await page.goto("/orders");
	await expect(page.getByText("You haven't ordered anything yet.")).toBeVisible();
	return phone;
}

async function payOn(phone: Customer): Promise<string> {
	const clientSecret = await phone.pay([speaker.id]);
	await phone.fulfill(clientSecret);
	return idOf(clientSecret);
}

/** Intercepts the page's feed so that the test can block and close it. */
async function holdFeed(context: BrowserContext) {
	const feed: { socket?: WebSocketRoute; opened: number; isBlocked: boolean } = { opened: 0, isBlocked: false };
	await context.routeWebSocket("**/orders/feed", (socket) => {
		if (feed.isBlocked) return void socket.close({ code: 1011 });
		feed.socket = socket;
		const server = socket.connectToServer();
		// closing a socket before the server has responded logs an error
		server.send("ping");
		server.onMessage((message) => {
			if (message === "pong") feed.opened++;
			else socket.send(message);
		});
	});
	return feed;
}

test("an order paid on a phone appears on the laptop without a reload", async ({ page, shop }) => {
	await page.emulateMedia({ colorScheme: "dark" });
	const feed = page.waitForEvent("websocket");
	const phone = await customer(page, shop);
	await feed;
	await markDocument(page);
	const id = await payOn(phone);
	await test.step("it is highlighted and announced", async () => {
		await expect(orders(page).filter({ hasText: id })).toHaveClass(/\bchanged\b/);
		await expect(
			page.getByRole("status").filter({ hasText: `You have a new order for ${speaker.price}.` }),
		).toBeVisible();
	});
	await expectNotReloaded(page);
	await test.step("a partial refund is shown and announced", async () => {
		await shop.stripe.refunds.create({ payment_intent: id, amount: 2000 });
		await expect(page.getByText(`${formatMoney(2000)} of this was refunded`, { exact: true })).toBeVisible();
		const announced = `${formatMoney(2000)} of your ${speaker.price} order was refunded.`;
		await expect(page.getByRole("status").filter({ hasText: announced })).toBeVisible();
	});
	await test.step("its refund is announced, without a highlight", async () => {
		await shop.stripe.refunds.create({ payment_intent: id });
		await expect(page.getByText(`Refunded ${speaker.price}`, { exact: true })).toBeVisible();
		await expect(orders(page).filter({ hasText: id })).not.toHaveClass(/\bchanged\b/);
		await expect(
			page.getByRole("status").filter({ hasText: `Your ${speaker.price} order was refunded.` }),
		).toBeVisible();
	});
	await test.step("the failure of its refund is announced in the order's currency, without a highlight", async () => {
		await shop.d1.batch([
			shop.d1.prepare("update refunds set status = 'failed' where payment_intent_id = ?").bind(id),
			shop.d1.prepare("update orders set status = 'paid', currency = 'eur' where payment_intent_id = ?").bind(id),
		]);
		await becomeVisible(page);
		await expect(
			page
				.getByRole("status")
				.filter({ hasText: `The refund for your ${formatMoney(speaker.priceCents, "eur")} order failed.` }),
		).toBeVisible();
		await expect(page.getByText(`Refunded ${speaker.price}`, { exact: true })).toHaveCount(0);
	});
	// existing orders are not highlighted on load
	await page.reload();
	await expect(orders(page)).toHaveCount(1);
	await expect(page.locator(".order.changed")).toHaveCount(0);

	await test.step("in print, it has light colors and the shop's name, and none of the shop's controls", async () => {
		await page.emulateMedia({ media: "print" });
		await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
		await expect(orders(page)).toHaveCSS("background-color", "rgb(255, 255, 255)");
		await expect(page.locator("body")).toHaveCSS("color", "rgb(23, 32, 43)");
		const banner = page.getByRole("banner");
		await expect(banner.getByText(logo)).toBeVisible();
		await expect(banner.locator("input, nav").filter({ visible: true })).toHaveCount(0);
		await expect(page.getByRole("contentinfo")).toBeHidden();
	});
});

test("a page whose feed is disconnected reconnects and shows the missed order", async ({ page, context, shop }) => {
	const feed = await holdFeed(context);
	// the page reloads its orders as soon as its feed is open
	const reloaded = page.waitForResponse(/\/orders\.data/);
	const phone = await customer(page, shop);
	await reloaded;
	await expect.poll(() => feed.opened).toBe(1);
	feed.isBlocked = true;
	await feed.socket?.close({ code: 1012 });
	await payOn(phone);
	feed.isBlocked = false;
	await expect(orders(page)).toHaveCount(1);
	await expect.poll(() => feed.opened).toBe(2);
	await test.step("after a sign-in has replaced its session, it reloads its data before it reconnects", async () => {
		await page.clock.install();
		const letGo = await hold(page, "**/orders.data");
		const reload = page.waitForRequest("**/orders.data");
		const form = { email: phone.email, password: phone.password, intent: "sign-in" };
		await context.request.post("/login", { headers: { Origin: shop.url.origin }, form });
		await reload;
		await page.clock.fastForward(120_000);
		await page.evaluate(() => dispatchEvent(new Event("online")));
		expect(feed.opened).toBe(2);
		letGo();
		await expect.poll(() => feed.opened).toBe(3);
		await payOn(phone);
		await expect(orders(page)).toHaveCount(2);
	});
});

test("older orders open on a separate page", async ({ page, shop }) => {
	const phone = await signInOverHttp(page.context(), shop);
	const created = Array.from({ length: 25 }, (_, second) => 1763650000 + second);
	await insertOrders(shop, await phone.userId(), created);
	await page.goto("/orders");
	await expect(orders(page)).toHaveCount(20);

	await test.step("in a wide window, a price is near its item's name", async () => {
		const initial = page.viewportSize() ?? { width: 1280, height: 720 };
		await page.setViewportSize({ width: 2560, height: 1440 });
		const gap = await page
			.locator(".line-item")
			.first()
			.evaluate((line) => {
				const [name, price] = [line.querySelector(".name a"), line.querySelector(".price")];
				return Number(price?.getBoundingClientRect().left) - Number(name?.getBoundingClientRect().right);
			});
		expect(gap).toBeLessThan(600);
		await page.setViewportSize(initial);
	});

	await page.getByRole("link", { name: "Show older orders" }).click();
	await expect(page.getByRole("heading", { name: "Older orders" })).toBeFocused();
	await expect(orders(page)).toHaveCount(5);
	await expect(page.locator(".order.changed")).toHaveCount(0);
	await expect(page.getByRole("link", { name: "Show older orders" })).toHaveCount(0);
	await page.getByRole("link", { name: "Show the newest orders" }).click();
	await expect(orders(page)).toHaveCount(20);
});

test("only the receipt is printed while one is shown, with the address and without controls", async ({
	page,
	shop,
}) => {
	const phone = await signInOverHttp(page.context(), shop);
	await insertOrders(shop, await phone.userId(), [1763650000]);
	await checkOut(page, speaker.title);
	await payWith(page, goodCard);
	await expect(orders(page)).toHaveCount(2);
	await page.emulateMedia({ media: "print" });
	const receipt = page.getByRole("region", { name: "Your payment" });
	await expect(orders(page)).toHaveCount(1);
	await expect(receipt.getByRole("article").locator("code")).toBeVisible();
	await expect(receipt.locator("address")).toBeVisible();
	await expect(page.getByText("whenever you sign in")).toBeHidden();
	await expect(page.getByRole("button")).toHaveCount(0);
	await expect(page.getByRole("banner").locator(".mark")).toHaveCSS("print-color-adjust", "exact");
	await page.reload();
	await expect(orders(page)).toHaveCount(2);
});
