import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { checkOut, expect, goodCard, test, typeCard } from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const setNow = (page: Page) => page.getByRole("region", { name: "Set now" });
const entries = (page: Page) => page.getByRole("region", { name: "Activity", exact: true }).getByRole("listitem");

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
	// the newest one: other tests pay with the same account
	const succeeded = (kind: string) =>
		entries(page).filter({ hasText: "payment_intent.succeeded" }).filter({ hasText: kind }).first();
	await expect(succeeded("Event")).toContainText("held");
	await expect(setNow(page)).toContainText("3 to release");
	await expect(entries(page).filter({ hasText: "Payment intent" }).first()).toContainText(speaker.price);

	await press(page, "Release held, newest first");
	await expect(succeeded("Event")).toContainText(/succeeded.*succeeded/s);
	await expect(succeeded("Webhook")).toContainText("200");
	await expect(setNow(page)).not.toContainText("to release");
});

test("the console has no axe violations and no horizontal overflow", async ({ page, shop }) => {
	const { id, lastResponse } = await shop.stripe.paymentIntents.create({
		...{ amount: 1499, currency: "usd", payment_method: "pm_card_visa", confirm: true },
		automatic_payment_methods: { enabled: true, allow_redirects: "never" },
	});
	const [event] = (await shop.stripe.events.list({ type: "payment_intent.succeeded" })).data;
	const views = [`open=${event?.id}`, `open=${id}`, `open=${lastResponse.requestId}`, "", "open=cards&card=disputes"];
	for (const [index, view] of views.entries()) {
		await page.emulateMedia({ colorScheme: index % 2 === 0 ? "dark" : "light" });
		await page.setViewportSize({ width: index < 4 ? 1280 : 390, height: 800 });
		await page.goto(`/stripe-emulator/?limit=5&${view}`);
		if (index === 0) await page.getByText("Attempt 1").click();
		const { violations } = await new AxeBuilder({ page }).analyze();
		const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html })));
		expect([view, found]).toEqual([view, []]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
	}
});
