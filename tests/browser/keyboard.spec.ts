import type { Locator, Page } from "@playwright/test";
import { addToBasket, cardField, declinedCard, expect, follow, goodCard, test } from "../support/browser.ts";
import { emptyStateLink, homeHeading } from "../support/catalogue.ts";

// with the animations that a shopper sees
test.use({ contextOptions: { reducedMotion: "no-preference" } });

/** Presses Tab until `target` has focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
	await expect(target).toBeEnabled();
	for (let presses = 0; presses < 60; presses++) {
		if (await target.evaluate((element) => element === element.ownerDocument.activeElement && document.hasFocus()))
			return;
		await page.keyboard.press("Tab");
	}
	throw new Error("Tab did not reach the element.");
}

async function press(page: Page, target: Locator): Promise<void> {
	await tabTo(page, target);
	await page.keyboard.press("Enter");
}

test("a shopper creates an account, retries a declined card and buys with only the keyboard", async ({
	page,
	expectRefusal,
}) => {
	expectRefusal("/stripe-emulator/v1/payment_intents/", 402);
	await page.goto("/");
	await press(page, page.getByRole("link", { name: "Sign In" }));
	await expect(page.getByRole("heading", { name: "Sign in" })).toBeFocused();
	await tabTo(page, page.getByLabel("Email"));
	await page.keyboard.type(`keyboard-${crypto.randomUUID()}@example.com`);
	await tabTo(page, page.getByLabel("Password"));
	await page.keyboard.type("correct horse battery");
	await press(page, page.getByRole("button", { name: "Create account" }));
	await expect(page.getByRole("heading", { name: homeHeading })).toBeFocused();

	await press(page, page.getByRole("link", { name: "More Info: Smart speaker" }));
	await expect(page.getByRole("heading", { name: "Smart speaker" })).toBeFocused();
	await press(page, page.getByRole("button", { name: "Add to Basket: Smart speaker" }));
	await expect(page.getByRole("status")).toContainText("Added to basket: Smart speaker");
	// Tab wraps around to the header
	await press(page, page.getByRole("link", { name: "Basket, 1 item" }));
	await press(page, page.getByRole("link", { name: "Proceed to Checkout" }));
	await expect(page.getByRole("heading", { name: "Checkout (1 item)" })).toBeFocused();

	await tabTo(page, cardField(page, "cardnumber"));
	await page.keyboard.type(declinedCard);
	await tabTo(page, cardField(page, "exp-date"));
	await page.keyboard.type("1234");
	await tabTo(page, cardField(page, "cvc"));
	await page.keyboard.type("123");
	const buyNow = page.getByRole("button", { name: "Buy Now" });
	await press(page, buyNow);
	await expect(page.getByText("Your card was declined.")).toBeVisible();
	await expect(buyNow).toBeFocused();

	for (let fields = 0; fields < 3; fields++) await page.keyboard.press("Shift+Tab");
	await page.keyboard.press("ControlOrMeta+A");
	await page.keyboard.type(goodCard);
	await press(page, buyNow);
	await expect(page.getByRole("heading", { name: "Your Orders" })).toBeFocused();
	await expect(page.getByRole("article", { name: /^Order / })).toContainText("Smart speaker");
});

test("removing a line item focuses the next one, then the last one, then the link to the catalog", async ({ page }) => {
	await page.goto("/");
	for (const title of ["The Steady Business", "Stand mixer", "Smart speaker"]) await addToBasket(page, title);
	await follow(page, "Basket, 3 items");
	const remove = (title: string) => page.getByRole("button", { name: `Remove from Basket: ${title}` });
	await press(page, remove("Stand mixer"));
	await expect(remove("Smart speaker")).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(remove("The Steady Business")).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(page.getByRole("link", { name: emptyStateLink })).toBeFocused();
});

test("the first Tab reaches a link that skips the header", async ({ page }) => {
	await page.goto("/");
	await page.keyboard.press("Tab");
	const skip = page.getByRole("link", { name: "Skip to content" });
	await expect(skip).toBeFocused();
	await expect(skip).toBeInViewport({ ratio: 1 });
	await page.keyboard.press("Enter");
	await expect(page.getByRole("main")).toBeFocused();
	await page.keyboard.press("Tab");
	await expect(page.getByRole("link", { name: "More Info: The Steady Business" })).toBeFocused();
});

test("on a phone, the header's first row stays in the window, and the focus is never behind it", async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 780 });
	await page.goto("/");
	await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
	for (const name of ["half dozen", "Sign In", "Basket, 0 items"]) {
		await expect(page.getByRole("link", { name }), name).toBeInViewport({ ratio: 1 });
	}
	const covered = await page.evaluate(() => document.elementFromPoint(100, 80)?.closest("header"));
	expect(covered).toBeNull();
	await page.getByRole("searchbox").focus();
	await expect
		.poll(() => page.evaluate(() => document.elementFromPoint(100, 80)?.closest("header") !== null))
		.toBe(true);
});
