import type { Page } from "@playwright/test";
import { formatAmount } from "stripe-emulator/objects/amount.ts";
import { currency } from "#app/brand.ts";
import { answerBank, authenticatedCard, bank, bankDialog, expectBank } from "../support/bank.ts";
import { expect, fetchResponse, hold, test } from "../support/browser.ts";
import { buyNow, cardField, typeCard } from "../support/card.ts";
import { speaker } from "../support/catalogue.ts";
import { newestPayment } from "../support/shop.ts";
import { checkOut } from "../support/shopper.ts";
import { expectResized } from "../support/window.ts";

const unauthenticated = "We are unable to authenticate your payment method.";

/** Opens the payment page with a card that requires authentication. */
async function typeAuthenticatedCard(page: Page): Promise<void> {
	await checkOut(page, speaker.title);
	await typeCard(page, authenticatedCard);
}

const leaving: Record<string, (page: Page) => Promise<unknown>> = {
	"Escape in the bank's page": (page) => page.keyboard.press("Escape"),
	"Escape in the surrounding page": async (page) => {
		await page.locator("iframe[title^='Secure 3D']").blur();
		await page.keyboard.press("Escape");
	},
	"the bank's Close button": (page) => bank(page).getByRole("button", { name: "Close without paying" }).click(),
};

test("authentication pays, and failing or leaving it shows an error (fault 10)", async ({ page, shop }) => {
	await page.emulateMedia({ colorScheme: "light" });
	// any document of the shop's origin
	await page.goto("/robots.txt");
	await page.evaluate(() => localStorage.setItem("theme", "dark"));
	await page.setViewportSize({ width: 390, height: 500 });
	await typeAuthenticatedCard(page);
	const intent = await newestPayment(shop);

	async function expectFailure(): Promise<void> {
		await expect(bankDialog(page)).toHaveCount(0);
		await expect(page.getByRole("alert")).toContainText(unauthenticated);
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
		expect(await newestPayment(shop)).toMatchObject({
			id: intent?.id,
			status: "requires_payment_method",
			amount_received: 0,
		});
	}

	await page.keyboard.press("Enter");
	await expectBank(page);
	await expect(bank(page).getByRole("definition")).toHaveText([
		formatAmount(speaker.priceCents, currency),
		"Visa ending in 3184",
	]);
	await expect(bank(page).getByText("no real money")).toBeVisible();
	const frame = bank(page).locator("html");
	await test.step("the bank's page has the shop's theme", async () => {
		await expect(frame).toHaveCSS("background-color", "rgb(23, 27, 36)");
		await expect(frame).toHaveCSS("color", "rgb(229, 231, 235)");
	});
	await test.step("the dialog works with the keyboard, traps the focus and returns it to the card", async () => {
		for (const [key, name] of [
			["Tab", "Complete authentication"],
			["Tab", "Fail authentication"],
			["Tab", "Close without paying"],
			["Tab", "Complete authentication"],
			["Shift+Tab", "Close without paying"],
			["Shift+Tab", "Fail authentication"],
		] as const) {
			await page.keyboard.press(key);
			await expect(bank(page).getByRole("button", { name })).toBeFocused();
		}
		await page.keyboard.press("Enter");
		await expectFailure();
		const cvc = cardField(page, "cvc");
		await expect(cvc).toBeFocused();
		await page.keyboard.press("Backspace");
		await expect(cvc).toHaveValue("12");
		await page.keyboard.press("3");
	});

	for (const [how, leave] of Object.entries(leaving)) {
		await test.step(how, async () => {
			await buyNow(page).click();
			await expectBank(page);
			await expect(page.getByRole("alert")).toBeEmpty();
			await leave(page);
			await expectFailure();
		});
	}

	await test.step("Escape before the bank's page has loaded", async () => {
		const release = await hold(page, "**/stripe-emulator/three-d-secure");
		await buyNow(page).click();
		await expect(page.getByText("Connecting to your bank")).toBeVisible();
		await page.keyboard.press("Escape");
		await expect(bankDialog(page)).toBeHidden();
		release();
		await expectFailure();
	});

	await buyNow(page).click();
	await expectBank(page);
	expect(await newestPayment(shop)).toMatchObject({ id: intent?.id, status: "requires_action" });
	await test.step("the page behind the dialog neither scrolls nor takes the focus", async () => {
		const before = await page.evaluate(() => window.scrollY);
		await page.mouse.move(5, 5);
		await page.mouse.wheel(0, -400);
		// wheel events scroll asynchronously, if at all
		await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
		expect(await page.evaluate(() => window.scrollY)).toBe(before);
		const link = page.getByRole("link", { name: "Basket, 1 item" });
		await link.focus();
		await expect(link).not.toBeFocused();
	});
	for (const width of [320, 1280]) {
		await test.step(`the whole bank page is visible at ${width} pixels`, async () => {
			await page.setViewportSize({ width, height: 640 });
			await expectResized(page.locator("iframe[title^='Secure 3D']"));
			await expect(bank(page).getByRole("button", { name: "Fail authentication" })).toBeInViewport({ ratio: 1 });
			const overflow = await frame.evaluate((html) => [
				html.scrollWidth - html.clientWidth,
				html.scrollHeight - html.clientHeight,
			]);
			expect(overflow).toEqual([0, 0]);
		});
	}
	await answerBank(page, "Complete");
	await expect(page).toHaveURL("/orders");
	expect(await newestPayment(shop)).toMatchObject({ id: intent?.id, status: "succeeded" });
});

test("a bank that cannot be reached is retried or ends the attempt", async ({ page, context, expectWarning }) => {
	expectWarning("409 /payments/");
	await typeAuthenticatedCard(page);
	await page.clock.install();
	await test.step("the page does not load", async () => {
		expectWarning("500 /stripe-emulator/three-d-secure");
		await page.route("**/stripe-emulator/three-d-secure", (route) => route.fulfill({ status: 500 }));
		await buyNow(page).click();
		await expect(bankDialog(page)).toBeVisible();
		await page.clock.fastForward(10_000);
		await expect(bankDialog(page)).toHaveCount(0);
		await expect(page.getByText("We're checking your payment.")).toBeVisible();
		await page.clock.fastForward(15_000);
		await expect(page.getByRole("alert")).toContainText("You have not been charged.");
		await page.unroute("**/stripe-emulator/three-d-secure");
	});

	const requests = "**/v1/three_d_secure/**";
	const unreachable = bank(page).getByRole("heading", { name: "The bank isn't responding" });
	const retry = bank(page).getByRole("button", { name: "Try again" });
	await test.step("the page cannot load the payment, and then not send the choice", async () => {
		expectWarning("Failed to load resource: net::ERR_FAILED");
		await page.route(requests, (route) => route.abort());
		await buyNow(page).click();
		await expect(unreachable).toBeFocused();
		await page.unroute(requests);
		await retry.click();
		await expectBank(page);
		await page.route(requests, (route) => route.abort());
		await bank(page).getByRole("button", { name: "Fail authentication" }).click();
		await expect(unreachable).toBeFocused();
		await page.unroute(requests);
		await retry.click();
		await expect(page.getByRole("alert")).toContainText(unauthenticated);
	});

	await test.step("another tab has completed the authentication", async () => {
		await page.route(requests, async (route) => {
			const { origin, pathname, searchParams } = new URL(route.request().url());
			const form = { ...Object.fromEntries(searchParams), outcome: "complete" };
			await context.request.post(`${origin}${pathname}/answer`, { form });
			await route.continue();
		});
		await buyNow(page).click();
		await expect(page).toHaveURL("/orders");
	});
});

test("an outcome under the bank's dialog is shown by another document", async ({ page, shop, expectWarning }) => {
	expectWarning("409 /payments/", "Failed to load resource");
	await typeAuthenticatedCard(page);
	await page.clock.install();
	await test.step("canceled", async () => {
		await buyNow(page).click();
		await expectBank(page);
		await shop.stripe.paymentIntents.cancel((await newestPayment(shop))?.id ?? "");
		await page.clock.runFor(12_000);
		await expect(page.getByText("Your payment did not go through. You have not been charged.")).toBeVisible();
		await expect(bankDialog(page)).toHaveCount(0);
		await expect(page.getByRole("link", { name: "Basket, 1 item" })).toBeVisible();
	});
	await test.step("paid", async () => {
		await typeCard(page, authenticatedCard);
		await buyNow(page).click();
		await expectBank(page);
		// the bank accepts the payment, and its page hangs
		await page.route("**/v1/three_d_secure/**", async (route) => void (await fetchResponse(route)));
		await bank(page).getByRole("button", { name: "Complete authentication" }).click();
		await expect.poll(async () => (await newestPayment(shop))?.status).toBe("succeeded");
		await page.clock.runFor(12_000);
		await expect(page.getByRole("heading", { name: "Thank you for your order!" })).toBeVisible();
		await expect(bankDialog(page)).toHaveCount(0);
		await expect(page.getByRole("link", { name: "Basket, 0 items" })).toBeVisible();
	});
});
