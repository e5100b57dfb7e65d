import type { Page } from "@playwright/test";
import { checkOut, expect, goodCard, test, typeCard } from "../support/browser.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const setNow = (page: Page) => page.getByRole("region", { name: "Set now" });
const events = (page: Page) => page.getByRole("region", { name: "Events" }).getByRole("row");

test("webhooks can be held during a payment in another tab and released manually", async ({ page, context }) => {
	await page.goto("/stripe-emulator/");
	await press(page, "Hold webhooks");
	await expect(page.getByRole("status")).toHaveText("Done: Hold webhooks");
	await expect(page.getByRole("button", { name: "Hold webhooks" })).toHaveAttribute("aria-pressed", "true");

	const shopper = await context.newPage();
	await checkOut(shopper, "Smart speaker");
	await typeCard(shopper, goodCard);
	await shopper.getByRole("button", { name: "Buy Now" }).click();
	await expect(shopper.getByText("You paid $98.99")).toBeVisible();

	// the lists refresh automatically
	await page.bringToFront();
	const told = events(page).filter({ hasText: "payment_intent.succeeded" }).first();
	await expect(told).toContainText("held 0 attempts");
	await expect(setNow(page)).toContainText("3 to release");
	await expect(page.getByRole("region", { name: "Payment intents" }).first()).toContainText("$98.99");

	await press(page, "Release held, newest first");
	await expect(told).toContainText("succeeded 1 attempt");
	await expect(told).toContainText("response 200");
	await expect(setNow(page)).not.toContainText("to release");
});
