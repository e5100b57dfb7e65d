import { expect, type Page } from "@playwright/test";
import type { Host } from "./host.ts";
import { servePage } from "./served-page.ts";

/** Opens the page with split card fields for a new intent. Returns the intent's id. */
export async function openSplitCard(page: Page, host: Host): Promise<string> {
	await servePage(page, host, "./split-card-page.tsx");
	const intent = await host.stripe.paymentIntents.create({
		amount: 1499,
		currency: "usd",
		allowed_payment_method_types: ["card"],
	});
	await page.goto(`/test-page?client_secret=${intent.client_secret}`);
	await expect(splitField(page, "number")).toBeVisible();
	return intent.id;
}

const fields = {
	number: { title: "Secure card number input frame", name: "cardnumber" },
	expiry: { title: "Secure expiration date input frame", name: "exp-date" },
	cvc: { title: "Secure CVC input frame", name: "cvc" },
};

export function splitField(page: Page, field: keyof typeof fields) {
	const { title, name } = fields[field];
	return page.frameLocator(`iframe[name^="__privateStripeFrame"][title="${title}"]`).locator(`input[name="${name}"]`);
}

export async function typeSplitCard(page: Page, number: string, expiry = "12 / 34", cvc = "123"): Promise<void> {
	await splitField(page, "number").fill("");
	await splitField(page, "number").pressSequentially(number);
	await splitField(page, "expiry").fill(expiry);
	await splitField(page, "cvc").fill(cvc);
}

/** Clicks one of the page's buttons and returns the result from Stripe.js. */
export async function resultOf(page: Page, button: string) {
	await page.getByRole("button", { name: button, exact: true }).click();
	return shownResult(page);
}

export async function shownResult(page: Page) {
	await expect(page.locator("output")).not.toHaveText("null");
	return JSON.parse((await page.locator("output").textContent()) ?? "null");
}

export async function eventsOf(page: Page): Promise<Record<string, unknown>[]> {
	return JSON.parse((await page.locator("pre").textContent()) ?? "[]");
}
