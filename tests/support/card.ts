import type { Page } from "@playwright/test";

/** Returns a locator for a field of the card input. The selectors also match Stripe's own frame. */
export function cardField(page: Page, name: "cardnumber" | "exp-date" | "cvc") {
	const frame = page.frameLocator('iframe[name^="__privateStripeFrame"][title="Secure card payment input frame"]');
	return frame.locator(`[name=${name}]`);
}

/** Fills in the card input. Tests of the keyboard type each digit. */
export async function typeCard(page: Page, number: string, expiry = "12 / 34", cvc = "123"): Promise<void> {
	await cardField(page, "cardnumber").fill(number);
	await cardField(page, "exp-date").fill(expiry);
	await cardField(page, "cvc").fill(cvc);
}

export const buyNow = (page: Page) => page.getByRole("button", { name: "Buy Now" });

/** Types the card and clicks Buy Now. */
export async function payWith(page: Page, card: string): Promise<void> {
	await typeCard(page, card);
	await buyNow(page).click();
}

export const goodCard = "4242424242424242";
export const declinedCard = "4000000000000002";
