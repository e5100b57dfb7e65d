import { expect, test } from "vitest";
import { confirmInBrowser, create, stripe } from "../support/stripe-emulator.ts";

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
];

test.each(approved)("card %s pays", async (number) => {
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

test.each(["4000002760003184", "4000002500003155", "4000003800000446", "4000008260003178", "4000000000003220"])(
	"card %s waits for its holder to authenticate",
	async (number) => {
		const intent = await create();
		const { status, body } = await confirmInBrowser(intent, { number });
		expect(status).toBe(200);
		expect(body).toMatchObject({ status: "requires_action", next_action: { type: "use_stripe_sdk" } });
		expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
			status: "requires_action",
			amount_received: 0,
			latest_charge: null,
		});
	},
);

test.each([
	[{ number: "4242424242424241" }, "incorrect_number", "number", "Your card number is incorrect."],
	[{ number: "4242" }, "incorrect_number", "number", "Your card number is incorrect."],
	[{ number: "4242424242424242", exp_month: "13" }, "invalid_expiry_month", "exp_month", expect.any(String)],
	[{ number: "4242424242424242", exp_year: "2020" }, "invalid_expiry_year", "exp_year", expect.any(String)],
	[{ number: "4242424242424242", exp_year: "2199" }, "invalid_expiry_year", "exp_year", expect.any(String)],
	[{ number: "4242424242424242", cvc: "12" }, "invalid_cvc", "cvc", expect.any(String)],
	[{ number: "378282246310005", cvc: "123" }, "invalid_cvc", "cvc", expect.any(String)],
])("%o is no card, and the intent stays as it was", async (card, code, param, message) => {
	const intent = await create();
	const { status, body } = await confirmInBrowser(intent, card);
	expect(status).toBe(402);
	expect(body.error).toMatchObject({ type: "card_error", code, param, message });
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test("a card of last month has expired", async () => {
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

test("the wrong security code is noticed only when one is given", async () => {
	const { status } = await confirmInBrowser(await create(), { number: "4000000000000127", cvc: "" });
	expect(status).toBe(200);
});

test("after a decline the same intent can be paid with another card", async () => {
	const intent = await create();
	await confirmInBrowser(intent, { number: "4000000000000002" });
	const { body } = await confirmInBrowser(intent, { number: "4242424242424242" });
	expect(body).toMatchObject({ status: "succeeded", last_payment_error: null });
});

test("any update clears the last error", async () => {
	const intent = await create();
	await confirmInBrowser(intent, { number: "4000000000000002" });
	const updated = await stripe.paymentIntents.update(intent.id, { metadata: { attempt: "2" } });
	expect(updated.last_payment_error).toBeNull();
});
