import type { BrowserContext, Page } from "@playwright/test";
import { logo } from "#app/brand.ts";
import { expect, followHydration, test } from "../support/browser.ts";
import { declinedCard, goodCard, payWith } from "../support/card.ts";
import { speaker } from "../support/catalogue.ts";
import { addToBasket, createAccount, follow } from "../support/shopper.ts";
import { listUntranslated, translatePage } from "../support/translator.ts";

// changing-text.test.ts checks every component; this test shows that React changes the texts of a translated page.
// Playwright's locators ignore the case of a text, so they find the translated texts too

/** Returns the page's text in small letters, without spaces, which depend on the lines, and what differs in each run. */
async function read(page: Page): Promise<string> {
	// biome-ignore lint/performance/useDomNodeTextContent: a shopper does not read hidden texts
	const text = await page.locator("body").innerText();
	return text
		.toLowerCase()
		.replaceAll(/customer-[\w-]+@|pi_\w+|(?<=order number )\w+|\w+ \w+ \d{4}, \d+:\d+[ap]m/g, "…")
		.replaceAll(/\s+/g, "");
}

/** Buys, creates an account, and returns the text of a page after each step. */
async function visit(context: BrowserContext, isTranslated: boolean): Promise<string[]> {
	if (isTranslated) await context.addInitScript(translatePage);
	const texts: string[] = [];

	async function note(page: Page, shown: string): Promise<void> {
		await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
		if (isTranslated) await expect.poll(() => page.evaluate(listUntranslated)).toEqual([]);
		texts.push(await read(page));
	}

	const page = await context.newPage();
	await page.goto("/");
	await addToBasket(page, speaker.title);
	await addToBasket(page, speaker.title);
	await note(page, "2 items in your basket");
	await follow(page, "Basket, 2 items");
	await note(page, "Subtotal (2 items)");
	const remove = page.getByRole("button", { name: `Remove from Basket: ${speaker.title}` });
	await remove.first().click();
	await note(page, "Subtotal (1 item)");
	await follow(page, "Proceed to Checkout");
	await note(page, "Enter your card details.");
	await payWith(page, declinedCard);
	await note(page, "try another card");
	await payWith(page, goodCard);
	await note(page, "Thank you for your order!");

	await follow(page, "Sign In or Create Account");
	await note(page, "New here?");
	page.on("dialog", (dialog) => dialog.accept());
	await page.getByRole("button", { name: "Create account" }).click();
	await note(page, "Enter your email and password.");
	await follow(page, logo);
	await createAccount(page);
	await note(page, "Hello customer");
	return texts;
}

test("a translated page has the same content as the original", async ({ browser, context, shop, expectWarning }) => {
	expectWarning("402 ", "400 /login.data");
	const other = await browser.newContext({ baseURL: shop.url.href, reducedMotion: "reduce" });
	await followHydration(other);
	const [translated, original] = await Promise.all([visit(context, true), visit(other, false)]);
	expect(translated).toEqual(original);
	await other.close();
});
