import type { Page } from "@playwright/test";
import {
	answerBank,
	authenticatedCard,
	authenticatedThenDeclinedCard,
	authenticatedThenPoorCard,
	bank,
	bankDialog,
} from "../support/bank.ts";
import { checkOut, expect, expectResized, goodCard, test, typeCard } from "../support/browser.ts";
import { speaker } from "../support/catalogue.ts";
import type { Shop } from "../support/shop.ts";

const unauthenticated = "We are unable to authenticate your payment method.";

/** Opens the payment page, pays with the card and waits for the bank's page. Returns the intent's id. */
async function goToBank(page: Page, card = authenticatedCard): Promise<string> {
	await checkOut(page, "Smart speaker");
	await typeCard(page, card);
	return payAtBank(page);
}

/** Clicks Buy Now and waits for the bank's page. Returns the intent's id. */
async function payAtBank(page: Page): Promise<string> {
	const confirmed = page.waitForRequest(/payment_intents\/pi_\w+\/confirm/);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(bank(page).getByRole("heading", { name: "Confirm your payment" })).toBeFocused();
	return /pi_\w+/.exec((await confirmed).url())?.[0] ?? "";
}

async function statusOf(shop: Shop, intent: string) {
	return (await shop.stripe.paymentIntents.retrieve(intent)).status;
}

test("completing authentication completes the payment", async ({ page, shop }) => {
	const intent = await goToBank(page);
	await expect(bankDialog(page)).toBeVisible();
	await expect(bank(page).getByRole("definition")).toHaveText([speaker.price, "Visa ending in 3184"]);
	await expect(bank(page).getByText("no real money")).toBeVisible();
	expect(await statusOf(shop, intent)).toBe("requires_action");
	await answerBank(page, "Complete");
	await expect(page).toHaveURL("/orders");
	expect(await statusOf(shop, intent)).toBe("succeeded");
});

const leaving: Record<string, (page: Page) => Promise<unknown>> = {
	"the bank's Fail button": (page) => answerBank(page, "Fail"),
	"Escape in the bank's page": (page) => page.keyboard.press("Escape"),
	"Escape in the surrounding page": async (page) => {
		await page.locator("iframe[title^='Secure 3D']").blur();
		await page.keyboard.press("Escape");
	},
	"the bank's Close button": (page) => bank(page).getByRole("button", { name: "Close without paying" }).click(),
};

test("failing authentication or closing the dialog shows an error, and another card completes the payment", async ({
	page,
	shop,
}) => {
	await checkOut(page, "Smart speaker");
	await typeCard(page, authenticatedCard);
	const intents = new Set<string>();
	for (const [how, leave] of Object.entries(leaving)) {
		await test.step(how, async () => {
			const intent = await payAtBank(page);
			intents.add(intent);
			await expect(page.getByRole("alert")).toBeEmpty();
			await leave(page);
			await expect(bankDialog(page)).toHaveCount(0);
			await expect(page.getByRole("alert")).toContainText(unauthenticated);
			expect(await statusOf(shop, intent)).toBe("requires_payment_method");
		});
	}
	await typeCard(page, goodCard);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page).toHaveURL("/orders");
	expect(await Promise.all([...intents].map((intent) => statusOf(shop, intent)))).toEqual(["succeeded"]);
});

test("after authentication, the decline of the card is shown", async ({ page, shop }) => {
	await checkOut(page, "Smart speaker");
	for (const [card, message] of [
		[authenticatedThenPoorCard, "Your card has insufficient funds."],
		[authenticatedThenDeclinedCard, "Your card was declined."],
	] as const) {
		await test.step(card, async () => {
			await typeCard(page, card);
			const intent = await payAtBank(page);
			await answerBank(page, "Complete");
			await expect(page.getByRole("alert")).toHaveText(`${message} Nothing was charged; try another card.`);
			expect(await statusOf(shop, intent)).toBe("requires_payment_method");
		});
	}
});

test("Escape before the bank's page loads abandons the authentication", async ({ page, shop }) => {
	let letGo = () => {};
	const held = new Promise<void>((resolve) => {
		letGo = resolve;
	});
	await page.route("**/stripe-emulator/three-d-secure", async (route) => {
		await held;
		await route.continue();
	});
	await checkOut(page, "Smart speaker");
	await typeCard(page, authenticatedCard);
	const confirmed = page.waitForRequest(/payment_intents\/pi_\w+\/confirm/);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page.getByText("Connecting to your bank")).toBeVisible();
	await page.keyboard.press("Escape");
	await expect(bankDialog(page)).toBeHidden();
	letGo();
	await expect(page.getByRole("alert")).toContainText(unauthenticated);
	const [id = ""] = /pi_\w+/.exec((await confirmed).url()) ?? [];
	expect(await statusOf(shop, id)).toBe("requires_payment_method");
});

test("closing the tab leaves the intent's status at requires_action", async ({ page, shop }) => {
	const intent = await goToBank(page);
	await page.close();
	expect(await statusOf(shop, intent)).toBe("requires_action");
});

test("the dialog works with the keyboard, traps focus and returns focus to the card", async ({ page }) => {
	await checkOut(page, "Smart speaker");
	await typeCard(page, authenticatedCard);
	await page.keyboard.press("Enter");
	await expect(bank(page).getByRole("heading", { name: "Confirm your payment" })).toBeFocused();
	const button = (name: string) => bank(page).getByRole("button", { name });
	for (const [key, name] of [
		["Tab", "Complete authentication"],
		["Tab", "Fail authentication"],
		["Tab", "Close without paying"],
		["Tab", "Complete authentication"],
		["Shift+Tab", "Close without paying"],
		["Shift+Tab", "Fail authentication"],
	] as const) {
		await page.keyboard.press(key);
		await expect(button(name)).toBeFocused();
	}
	await page.keyboard.press("Enter");
	await expect(page.getByRole("alert")).toContainText(unauthenticated);
	const cvc = page.frameLocator("iframe[title='Secure card payment input frame']").getByLabel("CVC");
	await expect(cvc).toBeFocused();
	await page.keyboard.press("Backspace");
	await expect(cvc).toHaveValue("12");
});

test("the page behind the dialog is inert while the dialog is open", async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 500 });
	await goToBank(page);
	const before = await page.evaluate(() => window.scrollY);
	await page.mouse.move(5, 5);
	await page.mouse.wheel(0, -400);
	// wheel events scroll asynchronously, if at all
	await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
	expect(await page.evaluate(() => window.scrollY)).toBe(before);
	const link = page.getByRole("link", { name: "Basket, 1 item" });
	await link.focus();
	await expect(link).not.toBeFocused();

	await answerBank(page, "Fail");
	await link.focus();
	await expect(link).toBeFocused();
	await page.mouse.wheel(0, -400);
	await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(before);
});

test("the whole bank page is visible at 320 and 1280 pixels", async ({ page }) => {
	await goToBank(page);
	for (const width of [320, 1280]) {
		await test.step(`${width} pixels`, async () => {
			await page.setViewportSize({ width, height: 640 });
			await expectResized(page.locator("iframe[title^='Secure 3D']"));
			await expect(bank(page).getByRole("button", { name: "Fail authentication" })).toBeInViewport({ ratio: 1 });
			const overflow = await bank(page)
				.locator("html")
				.evaluate((html) => [html.scrollWidth - html.clientWidth, html.scrollHeight - html.clientHeight]);
			expect(overflow).toEqual([0, 0]);
		});
	}
});

test("the bank's page uses the shop's dark theme, not the system's light theme", async ({ page }) => {
	await page.emulateMedia({ colorScheme: "light" });
	await page.goto("/");
	await page.getByRole("button", { name: "Dark" }).click();
	await goToBank(page);
	const colour = (property: "color" | "backgroundColor") =>
		bank(page)
			.locator("html")
			.evaluate((html, name) => getComputedStyle(html)[name], property);
	expect(await colour("backgroundColor")).toBe("rgb(23, 27, 36)");
	expect(await colour("color")).toBe("rgb(229, 231, 235)");
});

test("a request to the bank can be retried after a connection error", async ({ page, expectWarning, shop }) => {
	expectWarning("Failed to load resource: net::ERR_FAILED");
	await page.route("**/v1/three_d_secure/**", (route) => route.abort());
	await checkOut(page, "Smart speaker");
	await typeCard(page, authenticatedCard);
	const confirmed = page.waitForRequest(/payment_intents\/pi_\w+\/confirm/);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(bank(page).getByRole("heading", { name: "The bank isn't responding" })).toBeFocused();
	await page.unroute("**/v1/three_d_secure/**");
	await bank(page).getByRole("button", { name: "Try again" }).click();
	await expect(bank(page).getByRole("heading", { name: "Confirm your payment" })).toBeFocused();

	await page.route("**/v1/three_d_secure/**", (route) => route.abort());
	await bank(page).getByRole("button", { name: "Complete authentication" }).click();
	await expect(bank(page).getByRole("heading", { name: "The bank isn't responding" })).toBeFocused();
	await page.unroute("**/v1/three_d_secure/**");
	await bank(page).getByRole("button", { name: "Try again" }).click();
	await expect(page).toHaveURL("/orders");
	expect(await statusOf(shop, /pi_\w+/.exec((await confirmed).url())?.[0] ?? "")).toBe("succeeded");
});

test("a bank page that fails to load ends the attempt, and another attempt completes the payment", async ({
	page,
	expectRefusal,
}) => {
	expectRefusal("/stripe-emulator/three-d-secure", 500);
	expectRefusal("/payments/fulfill", 409);
	await page.route("**/stripe-emulator/three-d-secure", (route) => route.fulfill({ status: 500 }));
	await checkOut(page, "Smart speaker");
	await typeCard(page, authenticatedCard);
	await page.clock.install();
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(bankDialog(page)).toBeVisible();
	await page.clock.fastForward(10_000);
	await expect(bankDialog(page)).toHaveCount(0);
	await expect(page.getByText("We're checking your payment.")).toBeVisible();
	await page.clock.fastForward(15_000);
	await expect(page.getByRole("alert")).toContainText("You have not been charged.");
	await typeCard(page, goodCard);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page).toHaveURL("/orders");
});

test("an authentication completed in another tab closes the dialog", async ({ page, context, shop }) => {
	await page.route("**/v1/three_d_secure/**", async (route) => {
		const { origin, pathname, searchParams } = new URL(route.request().url());
		const form = { ...Object.fromEntries(searchParams), outcome: "complete" };
		await context.request.post(`${origin}${pathname}/answer`, { form });
		await route.continue();
	});
	await checkOut(page, "Smart speaker");
	await typeCard(page, authenticatedCard);
	const confirmed = page.waitForRequest(/payment_intents\/pi_\w+\/confirm/);
	await page.getByRole("button", { name: "Buy Now" }).click();
	await expect(page).toHaveURL("/orders");
	expect(await statusOf(shop, /pi_\w+/.exec((await confirmed).url())?.[0] ?? "")).toBe("succeeded");
});
