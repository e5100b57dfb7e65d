import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedPaymentMethods } from "../../objects/cards.ts";
import { confirmInBrowser, control, create, postFromBrowser, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

const approved = [
	"4242424242424242",
	"4000056655665556",
	"5555555555554444",
	"2223003122003222",
	"5200828282828210",
	"5105105105105100",
	"378282246310005",
	"371449635398431",
	"6011111111111117",
	"3056930009020004",
	"36227206271667",
	"3566002020360505",
	"6200000000000005",
	"4000000000000101",
	"4000000000007726",
	"4000000000005126",
	"4000000000003055",
	"4000000000001208",
];

test.each(approved)("card %s completes the payment", async (number) => {
	const intent = await create();
	const { status, body } = await confirmInBrowser(intent, { number });
	expect(status).toBe(200);
	expect(body).toMatchObject({
		id: intent.id,
		status: "succeeded",
		payment_method: expect.stringMatching(/^pm_\w{24}$/),
	});
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
		status: "succeeded",
		amount_received: 1499,
		latest_charge: expect.stringMatching(/^ch_\w{24}$/),
		last_payment_error: null,
	});
});

const declined = [
	["4000000000000002", "card_declined", "generic_decline", "Your card was declined."],
	["4000000000000341", "card_declined", "generic_decline", "Your card was declined."],
	["4000000000009995", "card_declined", "insufficient_funds", "Your card has insufficient funds."],
	["4000000000009987", "card_declined", "lost_card", "Your card was declined."],
	["4000000000009979", "card_declined", "stolen_card", "Your card was declined."],
	["4000000000006975", "card_declined", "card_velocity_exceeded", "Your card was declined."],
	["4100000000000019", "card_declined", "fraudulent", "Your card was declined."],
	["4000000000000069", "expired_card", undefined, "Your card has expired."],
	["4000000000000127", "incorrect_cvc", undefined, "Your card's security code is incorrect."],
	[
		"4000000000000119",
		"processing_error",
		undefined,
		"An error occurred while processing your card. Try again in a little bit.",
	],
	["4000008400001280", "card_declined", "generic_decline", "Your card was declined."],
	["4539578763621486", "card_declined", "test_mode_live_card", expect.stringContaining("used a non test card")],
];

test.each(declined)("card %s is declined with %s, %s", async (number, code, declineCode, message) => {
	const intent = await create();
	const { status, body } = await confirmInBrowser(intent, { number: String(number) });
	expect(status).toBe(402);
	const error = {
		type: "card_error",
		code,
		message,
		charge: expect.stringMatching(/^ch_/),
		doc_url: expect.any(String),
	};
	expect(body.error).toMatchObject({
		...error,
		payment_intent: { id: intent.id, status: "requires_payment_method", payment_method: null },
		payment_method: { type: "card", card: { last4: String(number).slice(-4), exp_month: 12, exp_year: 2040 } },
	});
	expect(body.error?.decline_code).toBe(declineCode);
	expect(JSON.stringify(body)).not.toContain(number);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
		status: "requires_payment_method",
		payment_method: null,
		amount_received: 0,
		last_payment_error: error,
	});
});

test.each([
	[{ number: "4242424242424241" }, "incorrect_number", "number", "Your card number is incorrect."],
	[{ number: "4242" }, "incorrect_number", "number", "Your card number is incorrect."],
	[{ number: "4242424242424242", exp_month: "13" }, "invalid_expiry_month", "exp_month", expect.any(String)],
	[{ number: "4242424242424242", exp_year: "2020" }, "invalid_expiry_year", "exp_year", expect.any(String)],
	[{ number: "4242424242424242", exp_year: "2199" }, "invalid_expiry_year", "exp_year", expect.any(String)],
	[{ number: "4242424242424242", cvc: "12" }, "invalid_cvc", "cvc", expect.any(String)],
	[{ number: "378282246310005", cvc: "123" }, "invalid_cvc", "cvc", expect.any(String)],
])("the invalid card %o returns 402 and leaves the intent unchanged", async (card, code, param, message) => {
	const intent = await create();
	const { status, body } = await confirmInBrowser(intent, card);
	expect(status).toBe(402);
	expect(body.error).toMatchObject({ type: "card_error", code, param, message });
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test("a card that expired last month returns expired_card, or invalid_expiry_year in January", async () => {
	const lastMonth = new Date();
	lastMonth.setUTCDate(0);
	const thisYear = lastMonth.getUTCFullYear() === new Date().getUTCFullYear();
	const { body } = await confirmInBrowser(await create(), {
		number: "4242424242424242",
		exp_month: String(lastMonth.getUTCMonth() + 1),
		exp_year: String(lastMonth.getUTCFullYear()),
	});
	expect(body.error?.code).toBe(thisYear ? "expired_card" : "invalid_expiry_year");
});

test("the test card for incorrect_cvc is accepted if no security code is sent", async () => {
	const { status } = await confirmInBrowser(await create(), { number: "4000000000000127", cvc: "" });
	expect(status).toBe(200);
});

test.each([
	["4242424242424242", "123", "pass"],
	["4242424242424242", "", null],
	["4000000000000101", "123", "fail"],
	["4000000000000127", "123", "fail"],
])("the charge of card %s with security code %o has cvc_check %s", async (number, cvc, check) => {
	const intent = await create();
	await confirmInBrowser(intent, { number, cvc });
	const { data } = await stripe.charges.list({ payment_intent: intent.id });
	expect(data[0]?.payment_method_details?.card).toMatchObject({
		checks: { cvc_check: check },
		last4: number.slice(-4),
	});
});

test.each([
	["pm_card_visa", { brand: "visa", last4: "4242", funding: "credit" }],
	["pm_card_visa_debit", { brand: "visa", last4: "5556", funding: "debit" }],
	["pm_card_mastercard", { brand: "mastercard", last4: "4444", funding: "credit" }],
	["pm_card_mastercard_debit", { brand: "mastercard", last4: "8210", funding: "debit" }],
	["pm_card_mastercard_prepaid", { brand: "mastercard", last4: "5100", funding: "prepaid" }],
	["pm_card_amex", { brand: "amex", last4: "0005" }],
	["pm_card_discover", { brand: "discover", last4: "1117" }],
	["pm_card_diners", { brand: "diners", last4: "0004" }],
	["pm_card_jcb", { brand: "jcb", last4: "0505" }],
	["pm_card_unionpay", { brand: "unionpay", last4: "0005" }],
])("a server can pay with %s", async (payment_method, card) => {
	const { latest_charge } = await stripe.paymentIntents.confirm((await create()).id, { payment_method });
	const charge = await stripe.charges.retrieve(String(latest_charge));
	expect(charge).toMatchObject({ paid: true, outcome: { type: "authorized" }, payment_method_details: { card } });
});

test("every shared payment method is a valid card", async () => {
	for (const payment_method of Object.keys(sharedPaymentMethods)) {
		const given = await stripe.paymentIntents.create({ amount: 500, currency: "usd", payment_method });
		expect(given, payment_method).toMatchObject({ status: "requires_confirmation" });
	}
});

test("a token can be used once", async () => {
	const { body: token } = await postFromBrowser("tokens", {
		"card[number]": "4242424242424242",
		"card[exp_month]": "12",
		"card[exp_year]": "40",
		"card[cvc]": "123",
	});
	expect(token).toMatchObject({ object: "token", used: false, card: { brand: "visa", last4: "4242", exp_year: 2040 } });
	const pay = async () =>
		stripe.rawRequest("POST", `/v1/payment_intents/${(await create()).id}/confirm`, {
			payment_method_data: { type: "card", card: { token: token.id } },
		});
	expect(await pay()).toMatchObject({ status: "succeeded" });
	expect(await refusal(pay())).toMatchObject({ statusCode: 400, code: "token_already_used" });
});

test("card parts can be used only once and expire after a minute", async () => {
	const part = async (fields: Record<string, string>) => {
		const { body } = await postFromBrowser("card_parts", fields);
		expect(JSON.stringify(body)).not.toContain("987");
		return body.id ?? "";
	};
	const confirm = async (expiry: string, code: string) => {
		const intent = await create();
		return postFromBrowser(`payment_intents/${intent.id}/confirm`, {
			"payment_method_data[type]": "card",
			"payment_method_data[card][number]": "4242424242424242",
			"payment_method_data[card][expiry_part]": expiry,
			"payment_method_data[card][cvc_part]": code,
			client_secret: intent.client_secret ?? "",
		});
	};
	const expiry = () => part({ "part[exp_month]": "11", "part[exp_year]": "2041" });
	const code = () => part({ "part[cvc]": "987" });
	const [firstExpiry, firstCode] = [await expiry(), await code()];
	expect(await confirm(firstExpiry, firstCode)).toMatchObject({ status: 200, body: { status: "succeeded" } });
	expect(await confirm(await expiry(), firstCode)).toMatchObject({
		status: 400,
		body: { error: { code: "resource_missing" } },
	});
	expect(await confirm(await code(), await code())).toMatchObject({ status: 400 });
	expect(await confirm(await expiry(), await expiry())).toMatchObject({ status: 400 });
	const [lateExpiry, lateCode] = [await expiry(), await code()];
	await control({ control: "clock", advance: 61 });
	expect(await confirm(lateExpiry, lateCode)).toMatchObject({ status: 400 });
});

test("after a decline, the same intent can be paid with another card", async () => {
	const intent = await create();
	await confirmInBrowser(intent, { number: "4000000000000002" });
	const { body } = await confirmInBrowser(intent, { number: "4242424242424242" });
	expect(body).toMatchObject({ status: "succeeded", last_payment_error: null });
});

test("updating an intent clears its last payment error", async () => {
	const intent = await create();
	await confirmInBrowser(intent, { number: "4000000000000002" });
	const updated = await stripe.paymentIntents.update(intent.id, { metadata: { attempt: "2" } });
	expect(updated.last_payment_error).toBeNull();
});
