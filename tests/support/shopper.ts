import { expect, type Page } from "@playwright/test";
import { itemCount } from "#app/ui/item-count.ts";

export async function addToBasket(page: Page, title: string): Promise<void> {
	// before hydration, which sets aria-pressed on a theme button, two clicks on a button add one item
	await expect(page.locator("button[aria-pressed=true]")).toHaveCount(1);
	await page.getByRole("button", { name: `Add to Basket: ${title}` }).click();
}

/** Clicks a link. Navigating by URL would empty the basket. */
export function follow(page: Page, name: string | RegExp) {
	return page.getByRole("link", { name }).first().click();
}

/** Creates an account through the form, keeping the basket. Returns the email. */
export async function createAccount(page: Page): Promise<string> {
	const email = `customer-${crypto.randomUUID()}@example.com`;
	await follow(page, "Sign In");
	await page.getByLabel("Email").fill(email);
	await page.getByLabel("Password").fill("correct horse battery");
	await page.getByRole("button", { name: "Create account" }).click();
	await expect(page.getByText(`Hello ${email}`)).toBeVisible();
	return email;
}

/** Opens /checkout in a new document with these products in the basket. */
export async function fillBasket(page: Page, ...titles: string[]): Promise<void> {
	await page.goto("/");
	for (const title of titles) await addToBasket(page, title);
	await follow(page, `Basket, ${itemCount(titles.length)}`);
}

/** Opens the payment page in a new document with these products in the basket. */
export async function checkOut(page: Page, ...titles: string[]): Promise<void> {
	await fillBasket(page, ...titles);
	await follow(page, "Proceed to Checkout");
}
