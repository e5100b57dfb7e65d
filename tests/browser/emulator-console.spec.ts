import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { checkOut, expect, goodCard, test, typeCard } from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";
import { statusOf } from "../support/customer.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const settings = (page: Page) => page.getByRole("region", { name: "Settings" });
/** The newest row of a table with this text. Other tests pay with the same account. */
const newest = (page: Page, table: string, text: string) =>
	page
		.getByRole("region", { name: new RegExp(`^${table}`) })
		.getByRole("row")
		.filter({ hasText: text })
		.first();

test("webhooks can be held during a payment in another tab and released manually", async ({ page, context }) => {
	await page.goto("/stripe-emulator/");
	await press(page, "Hold webhooks");
	await expect(page.getByRole("status")).toHaveText("Done: Hold webhooks");
	await expect(settings(page)).toContainText("held");

	const shopper = await context.newPage();
	await checkOut(shopper, "Smart speaker");
	await typeCard(shopper, goodCard);
	await shopper.getByRole("button", { name: "Buy Now" }).click();
	await expect(shopper.getByText(`You paid ${speaker.price}`)).toBeVisible();

	// the tables are updated automatically
	await page.bringToFront();
	const succeeded = newest(page, "Events", "payment_intent.succeeded");
	await expect(succeeded).toContainText("held 0 attempts");
	await expect(settings(page)).toContainText("3 to release");
	await expect(newest(page, "Payments", speaker.price)).toContainText("succeeded");

	await press(page, "Release held, newest first");
	await expect(succeeded).toContainText("succeeded 1 attempt");
	await expect(succeeded).toContainText("response 200");
	await expect(settings(page)).not.toContainText("to release");
});

test("a payment can be refunded in the console, and the webhook marks its order as refunded", async ({
	page,
	shop,
}) => {
	await checkOut(page, "Smart speaker");
	await typeCard(page, goodCard);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page.getByText(`You paid ${speaker.price}`)).toBeVisible();
	await page.goto("/stripe-emulator/");
	const payment = newest(page, "Payments", speaker.price);
	const id = (await payment.getByRole("rowheader").textContent()) ?? "";
	await payment.getByRole("button", { name: "Refund" }).click();
	await expect(payment).toContainText(`Refund of ${speaker.price}: succeeded`);
	await expect(payment.getByRole("button", { name: "Refund" })).toHaveCount(0);
	await expect.poll(() => statusOf(shop, id)).toBe("refunded");
});

test("the console has no axe violations and no horizontal overflow", async ({ page, shop }) => {
	const payment = { amount: 1499, currency: "usd", confirm: true };
	await shop.stripe.paymentIntents.create({ ...payment, payment_method: "pm_card_visa" });
	for (const [width, colorScheme] of [
		[1280, "dark"],
		[1280, "light"],
		[390, "dark"],
	] as const) {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await page.goto("/stripe-emulator/");
		await page.getByText("A fault of Stripe").click();
		const { violations } = await new AxeBuilder({ page }).analyze();
		const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html })));
		expect([width, colorScheme, found]).toEqual([width, colorScheme, []]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
	}
});
