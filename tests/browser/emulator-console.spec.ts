import type { Page } from "@playwright/test";
import { checkOut, expect, goodCard, test, typeCard } from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const setNow = (page: Page) => page.getByRole("region", { name: "Set now" });
const entries = (page: Page) => page.getByRole("region", { name: "Activity" }).getByRole("listitem");

test("webhooks can be held during a payment in another tab and released manually", async ({ page, context }) => {
	await page.goto("/stripe-emulator/");
	await press(page, "Hold webhooks");
	await expect(page.getByRole("status")).toHaveText("Done: Hold webhooks");
	await expect(page.getByRole("button", { name: "Hold webhooks" })).toHaveAttribute("aria-pressed", "true");

	const shopper = await context.newPage();
	await checkOut(shopper, "Smart speaker");
	await typeCard(shopper, goodCard);
	await shopper.getByRole("button", { name: "Buy Now" }).click();
	await expect(shopper.getByText(`You paid ${speaker.price}`)).toBeVisible();

	// the timeline is updated automatically
	await page.bringToFront();
	const succeeded = entries(page).filter({ hasText: "payment_intent.succeeded" });
	await expect(succeeded).toContainText("held");
	await expect(setNow(page)).toContainText("3 to release");
	await expect(entries(page).filter({ hasText: "Payment intent" }).first()).toContainText(speaker.price);

	await press(page, "Release held, newest first");
	await expect(succeeded.filter({ hasText: "Event" })).toContainText("succeeded");
	await expect(succeeded.filter({ hasText: "Webhook" })).toContainText("200");
	await expect(setNow(page)).not.toContainText("to release");
});
