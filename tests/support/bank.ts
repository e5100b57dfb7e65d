import { expect, type Page } from "@playwright/test";

/** The cards that their bank wants to be asked about. */
export const authenticatedCard = "4000002760003184";
export const authenticatedThenPoorCard = "4000008260003178";
export const authenticatedThenDeclinedCard = "4000008400001629";

const title = "Secure 3D Secure authentication frame";

/** The dialog that the bank's page is shown in. */
export function bankDialog(page: Page) {
	return page.getByRole("dialog", { name: "3D Secure authentication" });
}

/** The bank's page, in its frame. */
export function bank(page: Page) {
	return page.frameLocator(`iframe[name^="__privateStripeFrame"][title="${title}"]`);
}

export async function answerBank(page: Page, choice: "Complete" | "Fail"): Promise<void> {
	await bank(page)
		.getByRole("button", { name: `${choice} authentication` })
		.click();
	await expect(bankDialog(page)).toHaveCount(0);
}
