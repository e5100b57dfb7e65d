import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect, test } from "../support/browser.ts";

const emulator = "/stripe-emulator/";
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const settings = (page: Page) => page.getByRole("region", { name: "Settings" });
const events = (page: Page) => page.getByRole("region", { name: "Events and webhooks" }).getByRole("row");

test("refreshing keeps form values, open details, focus and the scroll position", async ({ page, host }) => {
	await page.setViewportSize({ width: 768, height: 600 });
	await page.goto(emulator);
	await page.getByText("A fault of Stripe", { exact: true }).click();
	const endpoint = page.getByRole("combobox", { name: "Endpoint" });
	await endpoint.selectOption("payment_intents.cancel");
	const { id } = await host.stripe.paymentIntents.create({
		amount: 500,
		currency: "usd",
		metadata: { note: "<script>alert(1)</script>" },
	});
	const payment = page.getByRole("row").filter({ hasText: id, has: page.getByText("$5.00") });
	await payment.locator("summary").click();
	await expect(payment).toContainText("<script>alert(1)</script>");
	const again = events(page).filter({ hasText: id }).getByRole("button", { name: "Send again" });
	await again.focus();

	const other = await host.stripe.paymentIntents.create({ amount: 600, currency: "usd" });
	await expect(events(page).filter({ hasText: other.id })).toBeVisible();
	await expect(again).toBeFocused();
	await expect(payment).toContainText("<script>alert(1)</script>");
	await expect(payment.getByText("<script>alert(1)</script>")).toBeVisible();
	await expect(endpoint).toHaveValue("payment_intents.cancel");

	const scrolled = () => page.evaluate(() => window.scrollY);
	const before = await scrolled();
	expect(before).toBeGreaterThan(0);
	await again.press("Enter");
	await expect(page.getByRole("status")).toContainText("Done: Send again");
	await expect(again).toBeFocused();
	expect(await scrolled()).toBe(before);

	await press(page, "Set Stripe's fault");
	await expect(settings(page)).toContainText("payment_intents.cancel: 500 before the work");
	await expect(endpoint).toHaveValue("payment_intents.cancel");
});

test("the status shows why a control was rejected, and that the emulator is unavailable until it responds", async ({
	page,
	expected,
}) => {
	await page.goto(emulator);
	const status = page.getByRole("status");
	expected.push("400 /stripe-emulator/controls");
	await page.getByText("Latency", { exact: true }).last().click();
	const milliseconds = page.getByRole("spinbutton", { name: "Milliseconds, 0 for none" });
	await milliseconds.evaluate((input) => input.removeAttribute("max"));
	await milliseconds.fill("60001");
	await press(page, "Set latency");
	await expect(status).toContainText(/^Set latency: 400: .*expected number to be <=60000/s);

	expected.push(`503 ${emulator}`);
	await page.route("**/stripe-emulator/", (route) => route.fulfill({ status: 503, body: "Restarting" }));
	await expect(status).toContainText("503: Restarting Retrying…");
	await page.unroute("**/stripe-emulator/");
	await expect(status).toHaveText("");
});

test("the console has no axe violations and no horizontal overflow", async ({ page, host }) => {
	await host.control({ control: "reset" });
	const payment = { amount: 1499, currency: "usd", confirm: true };
	await host.stripe.paymentIntents.create({ ...payment, payment_method: "pm_card_visa" });
	await page.goto(emulator);
	await page.getByText("A fault of Stripe", { exact: true }).click();
	await page.evaluate(axe.source);
	// the other test cards look like the first, and axe measures each text
	const context = { exclude: "#cards tr:nth-of-type(n + 2)" };
	for (const colorScheme of ["dark", "light"] as const) {
		await page.emulateMedia({ colorScheme });
		const options = colorScheme === "dark" ? {} : { runOnly: ["color-contrast"] };
		const run = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`;
		const { violations } = await page.evaluate<axe.AxeResults>(run);
		const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html })));
		expect([colorScheme, found]).toEqual([colorScheme, []]);
	}
	for (const width of [1280, 390]) {
		await page.setViewportSize({ width, height: 800 });
		expect(
			await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
			`${width}`,
		).toBeLessThanOrEqual(0);
	}
});
