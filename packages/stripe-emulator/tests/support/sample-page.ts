import { expect, type FrameLocator, type Page } from "@playwright/test";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import type { Host } from "./host.ts";
import { servePage } from "./served-page.ts";

/** Opens one of the sample pages. `options` are added to those of elements(). */
export async function openSample(page: Page, host: Host, name: string, clientSecret = "", options = {}): Promise<void> {
	await servePage(page, host, "./sample-pages.tsx");
	await page.goto(
		`/test-page?${new URLSearchParams({ page: name, client_secret: clientSecret, options: JSON.stringify(options) })}`,
	);
}

/** Returns the document of the Payment Element, or of another Element's frame with this title. */
export function elementFrame(page: Page, title = "Secure payment input frame"): FrameLocator {
	return page.frameLocator(`iframe[name^="__privateStripeFrame"][title="${title}"]`);
}

/** Fills in the Payment Element's card and ZIP code. */
export async function typePayment(page: Page, number: string): Promise<void> {
	const frame = elementFrame(page);
	await frame.getByLabel("Card number").fill(number);
	await frame.getByLabel("Expiration date").fill("12 / 34");
	await frame.getByLabel("Security code").fill("123");
	await frame.getByLabel("ZIP code").fill("94111");
}

/** Fills in the Card Element, with a ZIP code. */
export async function typeCard(page: Page, number: string): Promise<void> {
	const frame = elementFrame(page, "Secure card payment input frame");
	await frame.getByLabel("Credit or debit card number").fill(number);
	await frame.getByLabel("Credit or debit card expiration date").fill("12 / 34");
	await frame.getByLabel("Credit or debit card CVC/CVV").fill("123");
	await frame.getByLabel("ZIP").fill("94111");
}

/** Clicks Pay, and returns the result that the page shows. */
export async function pay(page: Page) {
	await page.getByRole("button", { name: "Pay" }).click();
	return resultOf(page);
}

/** Returns the result that the page shows. */
export async function resultOf(page: Page) {
	await expect(page.locator("output")).not.toBeEmpty();
	return JSON.parse((await page.locator("output").textContent()) ?? "");
}

/** Evaluates an expression in the page, with `stripe`, an empty `elements`, `add(type, options)` (creates and mounts an
 *  Element), `deferred()` (replaces `elements`) and `secret` in scope. Returns the expression's result, or its error as a string. */
export function run(page: Page, expression: string): Promise<unknown> {
	return page.evaluate(`(async () => {
		const stripe = Stripe("${PUBLISHABLE_KEY}");
		let elements = stripe.elements();
		const deferred = async () => {
			elements = stripe.elements({ mode: "payment", amount: 1499, currency: "usd" });
			add("payment");
		};
		const add = (type, options) => {
			const element = elements.create(type, options);
			element.mount(document.body.appendChild(document.createElement("div")));
			return element;
		};
		const secret = new URLSearchParams(location.search).get("client_secret");
		return (${expression});
	})().catch(String)`);
}
