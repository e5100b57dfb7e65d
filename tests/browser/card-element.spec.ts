import type { Page } from "@playwright/test";
import { checkOut, expect, expectResized, goodCard, test, typeCard } from "../support/browser.ts";

const frame = (page: Page) => page.frameLocator('iframe[title="Secure card payment input frame"]');
const number = (page: Page) => frame(page).getByLabel("Credit or debit card number");
const expiry = (page: Page) => frame(page).getByLabel("Credit or debit card expiration date");
const cvc = (page: Page) => frame(page).getByLabel("Credit or debit card CVC/CVV");

test.beforeEach(({ page }) => checkOut(page, "Smart speaker"));

/** Returns whether the message follows the form in the document and is below Buy Now on the screen. */
function isUnderForm(page: Page): Promise<boolean> {
	return page.getByRole("alert").evaluate((alert) => {
		const form = document.querySelector("form:has(.field)");
		const button = document.querySelector("button[type=submit].main");
		if (!form || !button) throw new Error("The form is missing.");
		const isAfter = form.compareDocumentPosition(alert) === Node.DOCUMENT_POSITION_FOLLOWING;
		return isAfter && alert.getBoundingClientRect().top >= button.getBoundingClientRect().bottom;
	});
}

const mistakes = [
	{ what: "number", card: ["4242", "", ""], field: number, message: "Your card number is incomplete." },
	{
		what: "check digit",
		card: ["4242424242424241", "", ""],
		field: number,
		message: "Your card number is invalid.",
	},
	{
		what: "expiration date",
		card: [goodCard, "12", ""],
		field: expiry,
		message: "Your card's expiration date is incomplete.",
	},
	{
		what: "expiration year",
		card: [goodCard, "12 / 20", ""],
		field: expiry,
		message: "Your card's expiration year is in the past.",
	},
	{
		what: "security code",
		card: [goodCard, "12 / 34", "1"],
		field: cvc,
		message: "Your card's security code is incomplete.",
	},
] as const;

test("an invalid field shows an error under the form and in the field, and disables Buy Now", async ({ page }) => {
	for (const { what, card, field, message } of mistakes) {
		await test.step(what, async () => {
			const [typed, until, code] = card;
			await typeCard(page, typed, until, code);
			await field(page).blur();
			await expect(page.getByRole("alert")).toHaveText(message);
			expect(await isUnderForm(page)).toBe(true);
			await expect(field(page)).toHaveAttribute("aria-invalid", "true");
			await expect(field(page)).toHaveAccessibleDescription(message);
			await expect(page.getByRole("button", { name: "Buy Now" })).toBeDisabled();
			await expect(page.locator(".StripeElement--invalid")).toHaveCount(1);

			await typeCard(page, goodCard);
			await expect(page.getByRole("alert")).toBeEmpty();
			await expect(field(page)).toHaveAttribute("aria-invalid", "false");
			await expect(field(page)).toHaveAccessibleDescription("");
			await expect(page.getByRole("button", { name: "Buy Now" })).toBeEnabled();
		});
	}
});

test("typing advances to the next field, and Backspace returns to the previous one", async ({ page }) => {
	await number(page).focus();
	await page.keyboard.type(`${goodCard}1234123`);
	await expect(number(page)).toHaveValue("4242 4242 4242 4242");
	await expect(expiry(page)).toHaveValue("12 / 34");
	await expect(cvc(page)).toHaveValue("123");
	for (let pressed = 0; pressed < 5; pressed++) await page.keyboard.press("Backspace");
	await expect(expiry(page)).toBeFocused();
	await expect(expiry(page)).toHaveValue("12 / 3");
});

test("a four-digit year is accepted", async ({ page }) => {
	await expiry(page).pressSequentially("4/2034");
	await expect(expiry(page)).toHaveValue("04 / 34");
});

test("a pasted number may contain separators", async ({ page, context }) => {
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	await page.evaluate(() => navigator.clipboard.writeText(" 3782-822463-10005\n"));
	await number(page).focus();
	await page.keyboard.press("ControlOrMeta+v");
	await expect(number(page)).toHaveValue("3782 822463 10005");
	await expect(frame(page).getByRole("img", { name: "American Express" })).toHaveText("AMEX");
	await expect(expiry(page)).toBeFocused();
	await cvc(page).pressSequentially("12345");
	await expect(cvc(page)).toHaveValue("1234");
});

test("a card that is autofilled without keystrokes completes the payment", async ({ page }) => {
	for (const [field, value] of [
		[number, "4242424242424242"],
		[expiry, "12/2034"],
		[cvc, "123"],
	] as const) {
		await field(page).evaluate((input: HTMLInputElement, filled) => {
			input.value = filled;
			input.dispatchEvent(new Event("change", { bubbles: true }));
		}, value);
	}
	await expect(expiry(page)).toHaveValue("12 / 34");
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page).toHaveURL("/orders");
});

test("all fields are fully visible in windows of 320 to 1280 pixels with a 19-digit number", async ({ page }) => {
	for (const width of [320, 390, 440, 480, 1280]) {
		await test.step(`${width} pixels`, async () => {
			await page.setViewportSize({ width, height: 800 });
			await expectResized(page.locator('iframe[title="Secure card payment input frame"]'));
			await typeCard(page, "6205500000000000004");
			for (const field of [number, expiry, cvc]) {
				const hidden = await field(page).evaluate((input) => input.scrollWidth - input.clientWidth);
				expect(hidden).toBeLessThanOrEqual(0);
				await expect(field(page)).toBeInViewport({ ratio: 1 });
			}
		});
	}
});
