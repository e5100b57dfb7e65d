import type { Page } from "@playwright/test";
import { fetchResponse, signInOverHttp } from "./browser.ts";
import { buyNow, declinedCard, goodCard, typeCard } from "./card.ts";
import { book, changeProduct, lastProduct, mixer, speaker } from "./catalogue.ts";
import { type Customer, idOf } from "./customer.ts";
import { insertOrders } from "./seed-data.ts";
import type { Shop } from "./shop.ts";
import { addToBasket, fillBasket, follow } from "./shopper.ts";
import { becomeVisible, waitForCode } from "./window.ts";

/** The prefixes of the messages that Chromium logs in some states, such as an error response. */
export const warnings: Record<string, string[]> = {
	offline: ["Failed to load resource: net::ERR_INTERNET_DISCONNECTED"],
	"not-found": ["404 /nowhere"],
	"login-refused": ["400 /login.data"],
	"payment-declined": ["402 /stripe-emulator/v1/payment_intents/"],
	"page-failed": ["React Router caught the following error", "TypeError: "],
	"sign-out-failed": ["500 /logout.data"],
	refusal: ["405 /logout"],
};

const goTo = (path: string) => (page: Page) => page.goto(path);

/** Opens a page while the mixer is sold out. */
function openSoldOut(path: string) {
	return async (page: Page, shop: Shop) => {
		const restore = await changeProduct(shop, mixer.id, "sold out");
		// no cache keeps the catalog for longer
		await shop.advance(70);
		await goTo(path)(page);
		await restore();
		await shop.advance(70);
	};
}

async function openBasket(page: Page): Promise<void> {
	await fillBasket(page, ...[book, mixer, lastProduct, book].map(({ title }) => title));
	await page.getByRole("heading", { name: "Your basket" }).waitFor();
}

async function fillPayment(page: Page, card: string): Promise<void> {
	await openBasket(page);
	await follow(page, "Proceed to Checkout");
	await typeCard(page, card);
	await page.locator("button[aria-disabled=false]", { hasText: "Buy Now" }).waitFor();
}

/** Buys, and leaves the payment undecided. */
async function startChecking(page: Page): Promise<void> {
	await page.route(/\/payments\/(fulfill|outcome)$/, (route) =>
		route.fulfill({ status: 202, json: { status: "checking" } }),
	);
	await fillPayment(page, goodCard);
	await buyNow(page).click();
	await page.getByText("We're checking your payment.").waitFor();
}

async function buy(page: Page): Promise<void> {
	await fillPayment(page, goodCard);
	await buyNow(page).click();
	await page.getByRole("region", { name: "Your payment" }).waitFor();
}

async function becomeCustomer(page: Page, shop: Shop, orders: number): Promise<Customer> {
	const shopper = await signInOverHttp(page.context(), shop);
	const created = Array.from({ length: orders }, (_, day) => 1_763_650_000 + day * 90_000);
	await insertOrders(shop, await shopper.userId(), created);
	return shopper;
}

/** Functions that bring a new page to each visual state of every page of the shop. */
export const states: Record<string, (page: Page, shop: Shop) => Promise<unknown>> = {
	home: goTo("/"),
	product: goTo(`/product/${mixer.id}`),
	/** A picture as large as the window. */
	async "product-picture"(page) {
		await goTo(`/product/${mixer.id}#picture-2`)(page);
		await page.getByRole("dialog").waitFor();
	},
	"product-wide": goTo(`/product/${lastProduct.id}`),
	"home-sold-out": openSoldOut("/"),
	"product-sold-out": openSoldOut(`/product/${mixer.id}`),
	/** The message after Add to Basket. */
	async toast(page) {
		await goTo("/")(page);
		await addToBasket(page, speaker.title);
		await page.locator(".toast").hover();
	},
	async offline(page) {
		await goTo("/")(page);
		await addToBasket(page, speaker.title);
		await waitForCode(page);
		await page.context().setOffline(true);
		await follow(page, "Returns & Orders");
		await page.getByRole("heading", { name: "We can't reach the shop" }).waitFor();
	},
	"not-found": goTo("/nowhere"),
	login: goTo("/login"),
	async "login-refused"(page) {
		page.on("dialog", (dialog) => void dialog.accept());
		await goTo("/login")(page);
		await page.getByLabel("Email").fill("ada@example.com");
		await page.getByRole("button", { name: "Sign In" }).click();
		await page.locator("#refusal").waitFor();
	},
	"checkout-empty": goTo("/checkout"),
	checkout: openBasket,
	/** The page of a customer whose name the server could not load. */
	async "checkout-unknown"(page, shop) {
		await becomeCustomer(page, shop, 0);
		const fault = { path: "/checkout", service: "d1", call: "every", fault: "before", times: 1000 } as const;
		await shop.control({ control: "shop_fault", ...fault });
		await goTo("/checkout")(page);
	},
	"payment-empty": goTo("/payment"),
	payment: (page) => fillPayment(page, goodCard),
	async "payment-declined"(page) {
		await fillPayment(page, declinedCard);
		await buyNow(page).click();
		await page.getByText("declined").waitFor();
	},
	"payment-checking": startChecking,
	async "checkout-checking"(page) {
		await startChecking(page);
		await follow(page, "Basket, 4 items");
		await page.getByRole("heading", { name: "Your basket" }).waitFor();
	},
	async "orders-checking"(page) {
		await startChecking(page);
		await follow(page, "Returns & Orders");
		await page.getByRole("heading", { name: "Your Orders" }).waitFor();
	},
	/** The card input before Stripe.js has loaded. */
	async "payment-loading"(page) {
		await page.route("**/stripe-emulator/stripe.js", () => {});
		await openBasket(page);
		await follow(page, "Proceed to Checkout");
		await page.getByRole("heading", { name: "Payment method" }).waitFor();
	},
	/** The error page of a page that fails to render, with a basket. */
	async "page-failed"(page) {
		await goTo(`/product/${mixer.id}`)(page);
		await addToBasket(page, mixer.title);
		await page.getByRole("button", { name: "Close message" }).click();
		await page.route("**/product/*.data*", async (route) => {
			const response = await fetchResponse(route);
			await route.fulfill({ response, body: (await response.text()).replaceAll("products", "goods") });
		});
		await becomeVisible(page);
		await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
	},
	async "sign-out-failed"(page, shop) {
		await becomeCustomer(page, shop, 0);
		await goTo("/")(page);
		await page.route("**/logout.data", (route) => route.fulfill({ status: 500 }));
		await page.getByRole("button", { name: "Sign Out" }).click();
		await page.getByRole("alert").waitFor();
	},
	/** The error page that is rendered without React. */
	refusal: goTo("/logout"),
	"orders-guest": goTo("/orders"),
	"orders-guest-receipt": buy,
	async "orders-removed"(page) {
		await buy(page);
		await page.getByRole("button", { name: "Remove your orders from this browser" }).click();
		await page.getByText("Keep this order number").waitFor();
	},
	/** Another tab of a guest who has paid. */
	async "orders-guest-paid"(page) {
		await buy(page);
		await page.evaluate(() => sessionStorage.clear());
		await goTo("/orders")(page);
	},
	async "orders-receipt"(page, shop) {
		await becomeCustomer(page, shop, 1);
		await buy(page);
	},
	async "orders-empty"(page, shop) {
		await becomeCustomer(page, shop, 0);
		await goTo("/orders")(page);
	},
	/** An older order, two that are refunded, one of them in part, and one that arrives while the page is open. */
	async orders(page, shop) {
		const shopper = await becomeCustomer(page, shop, 1);
		const partly = await shopper.pay([mixer.id]);
		await shopper.fulfill(partly);
		await shop.advance(60);
		const refunded = await shopper.pay([mixer.id]);
		await shopper.fulfill(refunded);
		// orders of the same second would be in any order
		await shop.advance(60);
		const feed = page.waitForEvent("websocket");
		await goTo("/orders")(page);
		await feed;
		await shop.stripe.refunds.create({ payment_intent: idOf(partly), amount: 2000 });
		await shop.stripe.refunds.create({ payment_intent: idOf(refunded) });
		await shopper.fulfill(await shopper.pay([speaker.id, book.id]));
		await page.locator(".order.changed").waitFor();
		for (const refund of [/^Refunded/, /of this was refunded/]) await page.getByText(refund).waitFor();
	},
	async "orders-older"(page, shop) {
		await becomeCustomer(page, shop, 22);
		await goTo("/orders")(page);
		await page.getByRole("link", { name: "Show older orders" }).click();
		await page.getByRole("heading", { name: "Older orders" }).waitFor();
	},
};
