import type { BrowserContext, Page } from "@playwright/test";
import { homeHeading, logo } from "#app/brand.ts";
import {
	addToBasket,
	buyNow,
	createAccount,
	declinedCard,
	expect,
	follow,
	followHydration,
	goodCard,
	payWith,
	test,
	tryAgain,
	typeCard,
} from "../support/browser.ts";
import { mixer, speaker } from "../support/catalogue.ts";
import { idOf } from "../support/customer.ts";
import type { Shop } from "../support/shop.ts";
import { listUntranslated, translatePage } from "../support/translator.ts";

// Playwright's locators ignore the case of a text, so they find the translated texts too

/** Returns the page's text in small letters, without spaces, which depend on the lines, and what differs in each run. */
async function read(page: Page): Promise<string> {
	// biome-ignore lint/performance/useDomNodeTextContent: a shopper does not read hidden texts
	const text = await page.locator("body").innerText();
	return text
		.toLowerCase()
		.replaceAll(/customer-[\w-]+@|pi_\w+|\w+ \w+ \d{4}, \d+:\d+[ap]m/g, "…")
		.replaceAll(/\s+/g, "");
}

/** Buys, signs in and out, and returns the text of a page after each step. */
async function visit(context: BrowserContext, shop: Shop, isTranslated: boolean): Promise<string[]> {
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
	await page
		.getByRole("button", { name: `Remove from Basket: ${speaker.title}` })
		.first()
		.click();
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

	await test.step("a live order, and its refund", async () => {
		const other = await context.newPage();
		await other.goto("/orders");
		await note(other, `Order Total: ${speaker.price}`);
		await page.goto("/");
		await addToBasket(page, mixer.title);
		await follow(page, "Basket, 1 item");
		await follow(page, "Proceed to Checkout");
		await typeCard(page, goodCard);
		const fulfilled = page.waitForRequest("**/payments/fulfill");
		await buyNow(page).click();
		await note(other, `You have a new order for ${mixer.price}.`);
		await note(page, "Thank you for your order!");
		const { clientSecret } = (await fulfilled).postDataJSON();
		await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
		await note(other, `Refunded ${mixer.price}`);
		await note(page, `Refunded ${mixer.price}`);
		await other.getByRole("button", { name: "Sign Out" }).click();
		await note(other, "Hello Guest");
		await note(page, "Hello Guest");
	});

	await test.step("a product's pictures, and a page that cannot be loaded", async () => {
		await follow(page, "Home");
		await follow(page, `More Info: ${mixer.title}`);
		await page.locator(".thumbs button").nth(1).click();
		await context.setOffline(true);
		await follow(page, "Home");
		await note(page, "Try again");
		await context.setOffline(false);
		await tryAgain(page, page.getByRole("heading", { name: homeHeading }));
		await note(page, homeHeading);
	});
	return texts;
}

test("a translated page has the same content as the original", async ({ browser, context, shop, expectWarning }) => {
	expectWarning("402 ");
	expectWarning("400 /login.data");
	expectWarning("Failed to load resource: net::ERR_INTERNET_DISCONNECTED");
	const other = await browser.newContext({ baseURL: shop.url.href, reducedMotion: "reduce" });
	await followHydration(other);
	const [translated, original] = await Promise.all([visit(context, shop, true), visit(other, shop, false)]);
	expect(translated).toEqual(original);
	await other.close();
});
