import { expect, type Page } from "@playwright/test";

/** A card that requires 3D Secure authentication. */
export const authenticatedCard = "4000002760003184";

const title = "Secure 3D Secure authentication frame";

export function bankDialog(page: Page) {
	return page.getByRole("dialog", { name: "3D Secure authentication" });
}

/** Returns a locator for the bank's page, which is inside an iframe. */
export function bank(page: Page) {
	return page.frameLocator(`iframe[name^="__privateStripeFrame"][title="${title}"]`);
}

/** Waits for the bank's page: advancing the clock while it loads would time out its request. */
export async function expectBank(page: Page): Promise<void> {
	await expect(bank(page).getByRole("heading", { name: "Confirm your payment" })).toBeFocused();
}

export async function answerBank(page: Page, choice: "Complete" | "Fail"): Promise<void> {
	await bank(page)
		.getByRole("button", { name: `${choice} authentication` })
		.click();
	await expect(bankDialog(page)).toHaveCount(0);
}
