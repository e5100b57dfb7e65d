import { authenticate, authenticatedCard, bank, declinedCard, expect, goodCard, test } from "../support/browser.ts";
import { eventsOf, openSplitCard, resultOf, shownResult, splitField, typeSplitCard } from "../support/split-card.ts";

test("paying with split card fields stores the billing details on the charge", async ({ page, host }) => {
	const intent = await openSplitCard(page, host);
	await typeSplitCard(page, goodCard);
	expect(await resultOf(page, "Pay")).toMatchObject({ paymentIntent: { id: intent, status: "succeeded" } });
	const paid = await host.stripe.paymentIntents.retrieve(intent);
	expect(await host.stripe.charges.retrieve(String(paid.latest_charge))).toMatchObject({
		billing_details: { name: "Ada Lovelace", address: { city: "London", country: "GB", line1: "6 Dozen Street" } },
		payment_method_details: { card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 } },
	});
});

test("pressing Enter in a field submits the surrounding form", async ({ page, host }) => {
	await openSplitCard(page, host);
	await typeSplitCard(page, goodCard);
	await splitField(page, "expiry").press("Enter");
	expect(await shownResult(page)).toMatchObject({ paymentIntent: { status: "succeeded" } });
});

test("a declined intent can be paid with another card", async ({ page, host, expectRefusal }) => {
	const intent = await openSplitCard(page, host);
	expectRefusal(`/stripe-emulator/v1/payment_intents/${intent}/confirm`, 402);
	await typeSplitCard(page, declinedCard);
	expect(await resultOf(page, "Pay")).toMatchObject({
		error: { code: "card_declined", payment_intent: { status: "requires_payment_method" } },
	});
	await typeSplitCard(page, goodCard);
	expect(await resultOf(page, "Pay")).toMatchObject({ paymentIntent: { id: intent, status: "succeeded" } });
});

for (const { what, card, error } of [
	{ what: "number", card: ["4242", "12 / 34", "123"], error: "incomplete_number" },
	{ what: "expiry", card: [goodCard, "12", "123"], error: "incomplete_expiry" },
	{ what: "security code", card: [goodCard, "12 / 34", "12"], error: "incomplete_cvc" },
	{ what: "everything", card: ["", "", ""], error: "incomplete_number" },
] as const) {
	test(`an incomplete card is not submitted: ${what}`, async ({ page, host }) => {
		await openSplitCard(page, host);
		const sent: string[] = [];
		page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
		const [number, expiry, cvc] = card;
		await typeSplitCard(page, number, expiry, cvc);
		expect(await resultOf(page, "Pay")).toMatchObject({ error: { type: "validation_error", code: error } });
		expect(sent).toEqual([]);
		await expect(page.locator(".StripeElement--invalid")).toHaveCount(what === "everything" ? 3 : 1);
	});
}

test("the security code's length depends on the card brand, whichever field is filled in first", async ({
	page,
	host,
}) => {
	await openSplitCard(page, host);
	const code = splitField(page, "cvc");
	await typeSplitCard(page, "378282246310005", "12 / 34", "");
	await code.pressSequentially("123");
	await expect(page.locator("#cvc.StripeElement--complete")).toHaveCount(0);
	await code.pressSequentially("45");
	await expect(code).toHaveValue("1234");
	await expect(page.locator("#cvc.StripeElement--complete")).toHaveCount(1);
	expect(await resultOf(page, "Pay")).toMatchObject({ paymentIntent: { status: "succeeded" } });

	await splitField(page, "number").fill(goodCard);
	await expect(code).toHaveValue("123");
});

test("each field emits its own change events, and the number field reports the card brand", async ({ page, host }) => {
	await openSplitCard(page, host);
	expect(await eventsOf(page)).toEqual([]);
	await splitField(page, "number").pressSequentially("42");
	await splitField(page, "expiry").fill("12 / 20");
	await splitField(page, "cvc").fill("123");
	await splitField(page, "expiry").press("Escape");
	await expect.poll(() => eventsOf(page)).toHaveLength(6);
	expect(await eventsOf(page)).toEqual([
		{ elementType: "cardNumber", networks: ["visa"], loading: false },
		{ elementType: "cardNumber", brand: "visa", complete: false, empty: false },
		{
			elementType: "cardNumber",
			brand: "visa",
			complete: false,
			empty: false,
			error: {
				type: "validation_error",
				code: "incomplete_number",
				message: "Your card number is incomplete.",
			},
		},
		{
			elementType: "cardExpiry",
			complete: false,
			empty: false,
			error: {
				type: "validation_error",
				code: "invalid_expiry_year_past",
				message: "Your card's expiration year is in the past.",
			},
		},
		{ elementType: "cardCvc", complete: true, empty: false },
		{ escape: true },
	]);
});

test("the number field accepts a pasted number, and the other fields accept autofill", async ({
	page,
	host,
	context,
}) => {
	await openSplitCard(page, host);
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	await page.evaluate(() => navigator.clipboard.writeText("5555-5555-5555-4444"));
	await splitField(page, "number").focus();
	await page.keyboard.press("ControlOrMeta+v");
	await expect(splitField(page, "number")).toHaveValue("5555 5555 5555 4444");
	for (const [field, value] of [
		["expiry", "12/2034"],
		["cvc", "123"],
	] as const) {
		await splitField(page, field).evaluate((input: HTMLInputElement, filled) => {
			input.value = filled;
			// scripts cannot trigger :autofill, so the input's matches() is stubbed
			Object.assign(input, { matches: (selector: string) => selector === ":autofill" });
			input.dispatchEvent(new Event("change", { bubbles: true }));
		}, value);
	}
	await expect(page.locator(".StripeElement--webkit-autofill")).toHaveCount(2);
	expect(await resultOf(page, "Pay")).toMatchObject({ paymentIntent: { status: "succeeded" } });
});

test("clicking a label focuses its field", async ({ page, host }) => {
	await openSplitCard(page, host);
	await page.getByText("Security code").click();
	await expect(splitField(page, "cvc")).toBeFocused();
	await expect(page.locator("#cvc.StripeElement--focus")).toHaveCount(1);
});

test("createPaymentMethod returns a payment method that a server can confirm with", async ({ page, host }) => {
	const intent = await openSplitCard(page, host);
	await typeSplitCard(page, goodCard);
	const { paymentMethod } = await resultOf(page, "Create a payment method");
	expect(paymentMethod).toMatchObject({
		object: "payment_method",
		billing_details: { name: "Ada Lovelace", address: { city: "London" } },
		card: { brand: "visa", last4: "4242" },
	});
	const paid = await host.stripe.paymentIntents.confirm(intent, { payment_method: paymentMethod.id });
	expect(paid.status).toBe("succeeded");
});

test("createToken returns an unused token that can be used to pay an intent", async ({ page, host }) => {
	await openSplitCard(page, host);
	await typeSplitCard(page, goodCard);
	expect(await resultOf(page, "Create a token")).toMatchObject({
		token: { object: "token", card: { brand: "visa", last4: "4242" }, used: false },
	});
	expect(await resultOf(page, "Pay with a token")).toMatchObject({ paymentIntent: { status: "succeeded" } });
});

test("every call that submits the card returns the error of a failed card_parts request", async ({
	page,
	host,
	expectRefusal,
}) => {
	await openSplitCard(page, host);
	expectRefusal("/stripe-emulator/v1/card_parts", 503);
	await page.route("**/v1/card_parts", (route) =>
		route.fulfill({
			status: 503,
			headers: { "Access-Control-Allow-Origin": "*" },
			json: { error: { type: "api_error", message: "Not now." } },
		}),
	);
	await typeSplitCard(page, goodCard);
	const refused = { error: { type: "api_error", message: "Not now." } };
	expect(await resultOf(page, "Create a payment method")).toEqual(refused);
	expect(await resultOf(page, "Create a token")).toEqual(refused);
	expect(await resultOf(page, "Pay")).toEqual(refused);
});

test("handleActions: false returns requires_action, and both handlers complete the authentication", async ({
	page,
	host,
}) => {
	for (const handler of ["Handle the next action", "Handle the card action"]) {
		const intent = await openSplitCard(page, host);
		await typeSplitCard(page, authenticatedCard);
		expect(await resultOf(page, "Pay without actions")).toMatchObject({
			paymentIntent: { id: intent, status: "requires_action", next_action: { type: "use_stripe_sdk" } },
		});
		await page.getByRole("button", { name: handler }).click();
		await expect(bank(page).getByRole("heading", { name: "Confirm your payment" })).toBeFocused();
		await authenticate(page, "Complete");
		expect(await shownResult(page)).toMatchObject({ paymentIntent: { id: intent, status: "succeeded" } });
		await expect(page.getByRole("button", { name: handler })).toBeFocused();
		expect(await resultOf(page, handler)).toEqual({
			thrown: expect.stringContaining("The PaymentIntent supplied is not in the requires_action state."),
		});
	}
});
