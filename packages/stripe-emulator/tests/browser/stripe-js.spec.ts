import type { Page } from "@playwright/test";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { expect, test } from "../support/browser.ts";
import { eventsOf, field, fillCard, openCardPage, resultOf } from "../support/card-page.ts";

const goodCard = "4242424242424242";

/** Evaluates an expression in the page, with `stripe`, an empty `elements`, `add()` (creates and mounts a CardElement)
 *  and `secret` in scope. Returns the expression's result, or its error as a string. */
function run(page: Page, expression: string, secret: string | null = null): Promise<unknown> {
	return page.evaluate(`(async () => {
		const stripe = Stripe("${PUBLISHABLE_KEY}");
		const elements = stripe.elements();
		const add = (options) => {
			const element = elements.create("card", options);
			const box = document.body.appendChild(document.createElement("div"));
			box.id = "own";
			element.mount(box);
			return element;
		};
		const secret = "${secret}";
		return (${expression});
	})().catch(String)`);
}

test("an incomplete card is not submitted, and after a decline, Enter in a field pays with another card", async ({
	page,
	host,
	expected,
}) => {
	const { id } = await openCardPage(page, host);
	const sent: string[] = [];
	page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
	for (const [number, expiry, cvc, code] of [
		["4242", "12 / 34", "123", "incomplete_number"],
		[goodCard, "12", "123", "incomplete_expiry"],
		[goodCard, "12 / 34", "12", "incomplete_cvc"],
		["", "", "", "incomplete_number"],
	] as const) {
		await fillCard(page, number, expiry, cvc);
		expect(await resultOf(page)).toMatchObject({ error: { type: "validation_error", code } });
		await expect(page.locator("#card.StripeElement--invalid")).toBeVisible();
	}
	expect(sent).toEqual([]);

	expected.push(`402 /stripe-emulator/v1/payment_intents/${id}/confirm`);
	await fillCard(page, "4000000000000002");
	const open = { payment_intent: { status: "requires_payment_method" } };
	expect(await resultOf(page)).toMatchObject({ error: { code: "card_declined", ...open } });

	await fillCard(page, goodCard);
	const result = await resultOf(page, () => field(page, "exp-date").press("Enter"));
	expect(result).toMatchObject({ paymentIntent: { id, status: "succeeded" } });
	const [charge] = (await host.stripe.charges.list({ payment_intent: id, limit: 1 })).data;
	expect(charge).toMatchObject({
		billing_details: { name: "Ada Lovelace", address: { city: "London", country: "GB", line1: "6 Dozen Street" } },
		payment_method_details: { card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 } },
	});
});

test("change events report the brand and the first error without the values, and the fields can be pasted into and filled in", async ({
	page,
	host,
	context,
}) => {
	await openCardPage(page, host);
	expect(await eventsOf(page)).toEqual([]);
	await field(page, "cardnumber").pressSequentially("42");
	await field(page, "exp-date").fill("12 / 20");
	await field(page, "exp-date").press("Escape");
	await expect.poll(async () => (await eventsOf(page)).at(-1)).toEqual({ escape: true });
	const change = { elementType: "card", brand: "visa", complete: false, empty: false, value: { postalCode: "" } };
	const message = "Your card number is incomplete.";
	expect(await eventsOf(page)).toEqual([
		{ elementType: "card", networks: ["visa"], loading: false },
		change,
		{ ...change, error: { type: "validation_error", code: "incomplete_number", message } },
		{ escape: true },
	]);

	await fillCard(page, "378282246310005", "12 / 34", "1234");
	await expect(page.locator("#card.StripeElement--complete")).toBeVisible();
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	await page.evaluate(() => navigator.clipboard.writeText("5555-5555-5555-4444"));
	await field(page, "cardnumber").focus();
	await page.keyboard.press("ControlOrMeta+a");
	await page.keyboard.press("ControlOrMeta+v");
	await expect(field(page, "cardnumber")).toHaveValue("5555 5555 5555 4444");
	await expect(field(page, "cvc")).toHaveValue("123");
	await field(page, "exp-date").fill("12");
	await page.getByText("Card", { exact: true }).click();
	await expect(field(page, "exp-date")).toBeFocused();
	await expect(page.locator("#card.StripeElement--focus")).toBeVisible();
	await field(page, "exp-date").evaluate((input: HTMLInputElement) => {
		input.value = "12/2034";
		// scripts cannot trigger :autofill, so the input's matches() is stubbed
		Object.assign(input, { matches: (selector: string) => selector === ":autofill" });
		input.dispatchEvent(new Event("change", { bubbles: true }));
	});
	await expect(page.locator("#card.StripeElement--webkit-autofill.StripeElement--complete")).toBeVisible();
	expect(await resultOf(page)).toMatchObject({ paymentIntent: { status: "succeeded" } });
});

const mistakes = [
	["Stripe('sk_test_x')", "accepts only a publishable test key"],
	["stripe.elements({ clientSecret: secret })", "does not support the option clientSecret of elements()"],
	["elements.create('payment')", "does not support the Element payment. It supports card."],
	["elements.create('card') && elements.create('card')", "Can only create one card Element at a time."],
	["stripe.createPaymentMethod({ type: 'card', card: add() })", "does not support createPaymentMethod"],
	["stripe.confirmCardPayment('pi_1')", "is not a client secret"],
	["stripe.confirmCardPayment(secret, { payment_method: { card: {} } })", "must be the card Element"],
	["stripe.confirmCardPayment(secret, { payment_method: { card: elements.create('card') } })", "is not mounted"],
	["elements.create('card').mount('#nowhere')", "The card Element cannot be mounted: #nowhere was not found."],
] as const;

test("incorrect use throws an IntegrationError, and a payment method's id can be confirmed without the dialog", async ({
	page,
	host,
}) => {
	const { id, client_secret: secret } = await openCardPage(page, host);
	for (const [call, refusal] of mistakes) {
		const told = await run(page, call, secret);
		expect(told, call).toMatch(/^IntegrationError: /);
		expect(told, call).toContain(refusal);
	}
	const authenticated = `{ payment_method: "pm_card_authenticationRequired" }, { handleActions: false }`;
	expect(await run(page, `stripe.confirmCardPayment(secret, ${authenticated})`, secret)).toMatchObject({
		paymentIntent: { id, status: "requires_action", next_action: { type: "use_stripe_sdk" } },
	});
	await expect(page.getByRole("dialog")).toHaveCount(0);
	const data = `{ payment_method: "pm_card_visa", receipt_email: "ada@example.com" }`;
	const paid = { paymentIntent: { id, status: "succeeded", receipt_email: "ada@example.com" } };
	expect(await run(page, `stripe.confirmCardPayment(secret, ${data})`, secret)).toMatchObject(paid);
	expect(await run(page, "stripe.retrievePaymentIntent(secret)", secret)).toMatchObject(paid);
});

test("an Element can be focused, cleared, disabled, styled with classes and destroyed, and a frame that fails to load emits loaderror", async ({
	page,
	host,
	expected,
}) => {
	await openCardPage(page, host);
	const classes = `{ base: "mine big", empty: "nothing", focus: "here" }`;
	// focus() does nothing before the frame is ready
	const ready = "new Promise((resolve) => element.on('ready', () => resolve()))";
	await run(page, `void Object.assign(window, { element: add({ classes: ${classes} }) }), await ${ready}`);
	const own = page.frameLocator("#own iframe").locator("input[name=cardnumber]");
	await expect(page.locator("#own")).toHaveClass("mine big nothing");
	await run(page, "element.focus()");
	await expect(page.locator("#own")).toHaveClass("mine big nothing here");
	await run(page, "element.blur()");
	await expect(page.locator("#own")).toHaveClass("mine big nothing");
	await own.fill("4242");
	await expect(page.locator("#own")).toHaveClass("mine big here");
	await run(page, "element.clear()");
	await expect(own).toHaveValue("");
	await run(page, "element.update({ disabled: true, classes: {} })");
	await expect(own).toBeDisabled();
	await expect(page.locator("#own")).toHaveClass(/^StripeElement StripeElement--empty/);
	await run(page, "element.destroy()");
	await expect(page.locator("#own")).toHaveClass("");
	await expect(page.locator("#own")).toBeEmpty();
	await page.locator("#own").evaluate((box) => box.remove());

	expected.push("500 /stripe-emulator/card-frame");
	await page.route("**/stripe-emulator/card-frame", (route) => route.fulfill({ status: 500 }));
	await page.clock.install();
	const refused = page.waitForResponse("**/stripe-emulator/card-frame");
	const error = run(page, "new Promise((resolve) => add().on('loaderror', resolve))");
	await refused;
	await page.clock.fastForward(10_000);
	expect(await error).toMatchObject({ elementType: "card", error: { type: "api_connection_error" } });
});
