import { expect, type FrameLocator, type Page } from "@playwright/test";
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
