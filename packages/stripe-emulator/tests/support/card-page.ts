import { expect, type Page } from "@playwright/test";
import type { Host } from "./host.ts";
import { servePage } from "./served-page.ts";

/** Opens the page with a CardElement for a new intent. Returns the intent's id. */
export async function openCardPage(page: Page, host: Host): Promise<string> {
	await servePage(page, host, "./card-page.tsx");
	const intent = await host.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	await page.goto(`/test-page?client_secret=${intent.client_secret}`);
	await expect(field(page, "cardnumber")).toBeVisible();
	return intent.id;
}

export function field(page: Page, name: "cardnumber" | "exp-date" | "cvc") {
	return page.frameLocator('#card iframe[title="Secure card payment input frame"]').locator(`input[name="${name}"]`);
}

export async function fillCard(page: Page, number: string, expiry = "12 / 34", cvc = "123"): Promise<void> {
	await field(page, "cardnumber").fill(number);
	await field(page, "exp-date").fill(expiry);
	await field(page, "cvc").fill(cvc);
}

/** Clicks Pay and returns the result from Stripe.js. */
export async function resultOf(page: Page) {
	await page.getByRole("button", { name: "Pay" }).click();
	return shownResult(page);
}

export async function shownResult(page: Page) {
	await expect(page.locator("output")).not.toHaveText("null");
	return JSON.parse((await page.locator("output").textContent()) ?? "null");
}

export async function eventsOf(page: Page): Promise<Record<string, unknown>[]> {
	return JSON.parse((await page.locator("pre").textContent()) ?? "[]");
}
