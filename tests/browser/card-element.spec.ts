import type { Page } from "@playwright/test";
import { buyNow, cardField, checkOut, expect, expectResized, goodCard, test, typeCard } from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";

const alert = (page: Page) => page.locator("form + p[role=alert]");

/** Returns whether the message is directly below the form of the card input. */
function isUnderForm(page: Page): Promise<boolean> {
	return alert(page).evaluate((alert) => {
		const form = document.querySelector("form:has(.field)")?.getBoundingClientRect();
		const { left, top } = alert.getBoundingClientRect();
		return form?.left === left && top >= form.bottom && top <= form.bottom + 16;
	});
}

const mistakes = [
	[["4242", "", ""], "cardnumber", "Your card number is incomplete."],
	[[goodCard, "12 / 20", ""], "exp-date", "Your card's expiration year is in the past."],
	[[goodCard, "12 / 34", "1"], "cvc", "Your card's security code is incomplete."],
] as const;

test("typing moves through the fields, and an invalid field shows an error", async ({ page }) => {
	await checkOut(page, speaker.title);
	const frame = page.frameLocator('iframe[title="Secure card payment input frame"]');
	const number = frame.getByLabel("Credit or debit card number");
	const expiry = frame.getByLabel("Credit or debit card expiration date");
	const cvc = frame.getByLabel("Credit or debit card CVC/CVV");
	await number.focus();
	await page.keyboard.type(`${goodCard}1234123`);
	await expect(number).toHaveValue("4242 4242 4242 4242");
	await expect(expiry).toHaveValue("12 / 34");
	await expect(cvc).toHaveValue("123");
	for (let pressed = 0; pressed < 5; pressed++) await page.keyboard.press("Backspace");
	await expect(expiry).toBeFocused();
	await expect(expiry).toHaveValue("12 / 3");

	// a number of 19 digits
	await typeCard(page, "6205500000000000004");
	for (const width of [320, 390, 440, 480, 1280]) {
		await test.step(`the fields are fully visible at ${width} pixels`, async () => {
			await page.setViewportSize({ width, height: 800 });
			await expectResized(page.locator('iframe[title="Secure card payment input frame"]'));
			for (const field of [number, expiry, cvc]) {
				await field.focus();
				const hidden = await field.evaluate((input) => input.scrollWidth - input.clientWidth);
				expect(hidden).toBeLessThanOrEqual(0);
				await expect(field).toBeInViewport({ ratio: 1 });
			}
		});
	}

	for (const [[number, expiry, cvc], name, message] of mistakes) {
		await test.step(`an invalid ${name} shows an error in the field and under the form`, async () => {
			const field = cardField(page, name);
			await typeCard(page, number, expiry, cvc);
			await field.blur();
			await expect(alert(page)).toHaveText(message);
			expect(await isUnderForm(page)).toBe(true);
			await expect(field).toHaveAttribute("aria-invalid", "true");
			await expect(field).toHaveAccessibleDescription(message);
			await expect(buyNow(page)).toBeDisabled();
			await expect(buyNow(page)).toHaveAccessibleDescription(/Enter your card details\.$/);
			await expect(page.locator(".StripeElement--invalid")).toHaveCount(1);

			await typeCard(page, goodCard);
			await expect(alert(page)).toHaveCount(0);
			await expect(field).toHaveAttribute("aria-invalid", "false");
			await expect(field).toHaveAccessibleDescription("");
			await expect(buyNow(page)).toBeEnabled();
			await expect(buyNow(page)).toHaveAccessibleDescription(/Ready to pay\.$/);
		});
	}
});
