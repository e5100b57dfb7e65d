import type { Page } from "@playwright/test";
import { formatMoney } from "#app/ui/money.ts";
import { addToBasket, checkOut, expect, follow, goodCard, hold, test, typeCard } from "../support/browser.ts";
import { products, ultrawide } from "../support/catalogue.ts";

const buyNow = (page: Page) => page.getByRole("button", { name: "Buy Now" });
const summary = (page: Page) => page.getByRole("complementary", { name: "Order summary" });
const field = (page: Page) => page.locator(".field");
const iframe = 'iframe[title="Secure card payment input frame"]';

async function boxOf(page: Page, selector: string) {
	const box = await page.locator(selector).boundingBox();
	if (!box) throw new Error(`${selector} is not visible.`);
	return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

test("the summary stays beside the steps in a wide window and follows them in a narrow one", async ({ page }) => {
	await page.goto("/");
	for (const { title } of products) await addToBasket(page, title);
	await follow(page, "Basket, 6 items");
	await follow(page, "Proceed to Checkout");
	const total = formatMoney(products.reduce((sum, { priceCents }) => sum + priceCents, 0));
	await expect(summary(page)).toContainText(`Items (6): ${total}`);
	await expect(summary(page)).toContainText("Delivery: $0.00");
	await expect(page.getByText("Order Total:")).toHaveText(`Order Total: ${total}`);
	await expect(buyNow(page)).toHaveCount(1);

	await page.setViewportSize({ width: 1280, height: 600 });
	const wide = await boxOf(page, ".sheet:has(.step)");
	expect((await boxOf(page, "aside.sum")).x).toBeGreaterThan(wide.right);
	await field(page).scrollIntoViewIfNeeded();
	await expect(summary(page)).toBeInViewport({ ratio: 1 });

	await page.setViewportSize({ width: 390, height: 600 });
	const narrow = await boxOf(page, ".sheet:has(.step)");
	expect((await boxOf(page, "aside.sum")).y).toBeGreaterThan(narrow.bottom);
});

test("Edit basket opens the basket, except while a payment is in progress", async ({ page }) => {
	await checkOut(page, "Smart speaker");
	await follow(page, "Edit basket");
	await expect(page).toHaveURL("/checkout");
	await follow(page, "Proceed to Checkout");
	await typeCard(page, goodCard);
	const release = await hold(page, "**/payments/place");
	await buyNow(page).click();
	await follow(page, "Edit basket");
	await expect(page.getByText("Please stay on this page until it's done.")).toBeVisible();
	await expect(page).toHaveURL("/payment");
	release();
	await expect(page).toHaveURL("/orders");
});

test("the Processing button shows a spinner, unless motion is reduced", async ({ page }) => {
	await checkOut(page, "Smart speaker");
	await typeCard(page, goodCard);
	const release = await hold(page, "**/payments/place");
	await buyNow(page).click();
	const spinner = page.getByRole("button", { name: "Processing", exact: true }).locator("i");
	await expect(spinner).toBeHidden();
	// the pointer is still over the button, which must not look as if it could be clicked
	const color = await page.getByRole("button", { name: "Processing" }).evaluate((button) => {
		button.style.background = "var(--line)";
		return getComputedStyle(button).backgroundColor;
	});
	await page.getByRole("button", { name: "Processing" }).evaluate((button) => button.removeAttribute("style"));
	await expect(page.getByRole("button", { name: "Processing" })).toHaveCSS("background-color", color);
	await page.emulateMedia({ reducedMotion: "no-preference" });
	await expect(spinner).toBeVisible();
	expect(await spinner.evaluate((element) => element.getAnimations().length)).toBe(1);
	release();
	await expect(page).toHaveURL("/orders");
});

test("the card input has the page's font and text size, and a placeholder of the same size while it loads", async ({
	page,
}) => {
	const devtools = await page.context().newCDPSession(page);
	for (const [width, standard, size] of [
		[1280, 16, "16px"],
		[1280, 32, "32px"],
		[390, 16, "16px"],
		// a larger size would hide a part of the card number
		[390, 32, "19px"],
	] as const) {
		await test.step(`${width} pixels, text of ${standard} pixels`, async () => {
			await page.setViewportSize({ width, height: 800 });
			await devtools.send("Page.setFontSizes", { fontSizes: { standard } });
			const release = await hold(page, "**/stripe-emulator/stripe.js");
			await page.goto("/payment");
			await expect(field(page)).toHaveAttribute("aria-busy", "true");
			expect(await field(page).evaluate((element) => getComputedStyle(element).backgroundImage)).toContain("gradient");
			const loading = await field(page).boundingBox();
			release();
			await expect(field(page)).toHaveAttribute("aria-busy", "false");
			expect(await field(page).boundingBox()).toEqual(loading);
			const number = page.frameLocator(iframe).locator("[name=cardnumber]");
			await expect(number).toHaveCSS("font-size", size);
			const font = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
			await expect(number).toHaveCSS("font-family", font);
			await page.unroute("**/stripe-emulator/stripe.js");
		});
	}
});

test("if the card input's frame fails to load, the page shows an error, and Try again loads the frame", async ({
	page,
	expectWarning,
}) => {
	expectWarning("Failed to load resource: net::ERR_FAILED");
	await page.route("**/stripe-emulator/card-frame", (route) => route.abort());
	await page.goto("/");
	await addToBasket(page, "Smart speaker");
	await page.clock.install();
	await follow(page, "Basket, 1 item");
	const created = page.waitForResponse("**/payments/create*");
	await follow(page, "Proceed to Checkout");
	await (await created).finished();
	await expect(page.locator("iframe")).toHaveCount(1);
	await page.clock.fastForward(10_000);
	await expect(page.getByText("We couldn't load the payment form. Your basket is unchanged.")).toBeVisible();
	await page.unroute("**/stripe-emulator/card-frame");
	await page.getByRole("button", { name: "Try again" }).click();
	await typeCard(page, goodCard);
	await expect(buyNow(page)).toBeEnabled();
});

test("prices stay on one line and inside their rows, at 320 pixels with a scroll bar and text of 200%", async ({
	page,
}) => {
	const devtools = await page.context().newCDPSession(page);
	await page.goto("/");
	for (let items = 0; items < 10; items++) await addToBasket(page, ultrawide.title);
	await follow(page, "Basket, 10 items");
	await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
	await page.setViewportSize({ width: 305, height: 640 });
	for (const heading of ["Your basket", "Checkout (10 items)"]) {
		await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
		const prices = page.locator(".line-item .price, .total b");
		await expect(prices).toHaveCount(11);
		expect(await prices.evaluateAll(misplaced)).toEqual([]);
		if (heading === "Your basket") await follow(page, "Proceed to Checkout");
	}
});

/** Returns the prices that are on two lines or extend beyond their row. Runs in the page. */
function misplaced(prices: Element[]): (string | null)[] {
	const isMisplaced = (price: Element) => {
		const text = document.createRange();
		text.selectNodeContents(price);
		const tops = new Set([...text.getClientRects()].map(({ top }) => top));
		const row = price.closest(".line-item, .total")?.getBoundingClientRect();
		const { left, right } = price.getBoundingClientRect();
		return tops.size > 1 || !row || left < row.left - 0.5 || right > row.right + 0.5;
	};
	return prices.filter(isMisplaced).map(({ textContent }) => textContent);
}
