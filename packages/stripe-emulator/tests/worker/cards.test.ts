import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brandOf } from "../../objects/card-number.ts";
import { type Decline, findCard, outcomeOf, testCards } from "../../objects/cards.ts";
import { authenticate, confirmInBrowser, control, create, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

/** Stripe's messages and parameters, by decline code or code. Any other decline has the message of `otherwise`. */
const errors: Readonly<Record<string, { message: string; param?: string }>> = {
	insufficient_funds: { message: "Your card has insufficient funds." },
	test_mode_live_card: {
		message:
			"Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
	},
	expired_card: { message: "Your card has expired.", param: "exp_month" },
	incorrect_cvc: { message: "Your card's security code is incorrect.", param: "cvc" },
	processing_error: { message: "An error occurred while processing your card. Try again in a little bit." },
};
const otherwise = { message: "Your card was declined." };

/** Returns the error of a declined charge, as in the response and in `last_payment_error`. */
function errorOf({ code, declineCode }: Decline, number: string) {
	return {
		type: "card_error",
		...(errors[declineCode ?? code] ?? otherwise),
		code,
		...(declineCode === undefined ? {} : { decline_code: declineCode }),
		charge: expect.stringMatching(/^ch_\w{24}$/),
		doc_url: expect.stringContaining(code.replaceAll("_", "-")),
		payment_method: { object: "payment_method", type: "card", card: { last4: number.slice(-4) } },
	};
}

const number = "4539578763621486";
const unlisted = { number, label: "not a test card", funding: "credit", outcome: outcomeOf(number, true) };

test.each([...testCards, unlisted])("card $number ($label) has its outcome in a browser", async (card) => {
	const { number, funding, outcome } = card;
	const { authentication, decline, cvcCheck } = outcome;
	const intent = await create();
	const { status, body } = await confirmInBrowser(intent, { number });
	expect(JSON.stringify(body)).not.toContain(number);
	const open = { id: intent.id, status: "requires_payment_method", payment_method: null };
	if (authentication) {
		expect([status, body.status]).toEqual([200, "requires_action"]);
		expect(await authenticate(intent, "complete")).toMatchObject({ status: 200, body: { status: "completed" } });
	} else if (decline) {
		expect([status, body.error]).toMatchObject([402, { ...errorOf(decline, number), payment_intent: open }]);
		expect(body.error?.decline_code).toBe(decline.declineCode);
	} else {
		expect([status, body]).toMatchObject([200, { id: intent.id, status: "succeeded" }]);
	}
	const { latest_charge, ...after } = await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge"] });
	expect(after).toMatchObject(
		decline
			? { ...open, amount_received: 0, next_action: null, last_payment_error: errorOf(decline, number) }
			: { status: "succeeded", amount_received: 1499, next_action: null, last_payment_error: null },
	);
	expect(latest_charge).toMatchObject({
		paid: !decline,
		outcome: { type: decline ? "issuer_declined" : "authorized" },
		payment_method_details: {
			card: { brand: brandOf(number), funding, last4: number.slice(-4), checks: { cvc_check: cvcCheck } },
		},
	});
});

test.each(["pm_card_visa_chargeDeclinedInsufficientFunds", "pm_card_chargeDeclinedIncorrectCvc"])(
	"a server's payment with %s throws a StripeCardError",
	async (payment_method) => {
		const { number, funding, outcome } = findCard(payment_method) ?? unlisted;
		const { decline } = outcome;
		const intent = await create();
		const error = await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method }));
		const card = { brand: brandOf(number), funding, last4: number.slice(-4), checks: { cvc_check: null } };
		expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
		expect(error).toMatchObject({
			...(decline && errorOf(decline, number)),
			statusCode: 402,
			type: "StripeCardError",
			rawType: "card_error",
			// the SDK reports a missing decline code as ""
			decline_code: decline?.declineCode ?? "",
			payment_intent: { id: intent.id, status: "requires_payment_method", payment_method: null },
			payment_method: { card },
		});
	},
);

const visa = "4242424242424242";
test.each([
	[{ number: "4242424242424241" }, "incorrect_number", "number", "Your card number is incorrect."],
	[{ number: "4242" }, "incorrect_number", "number", "Your card number is incorrect."],
	[{ number: visa, exp_month: "13" }, "invalid_expiry_month", "exp_month", expect.any(String)],
	[{ number: visa, exp_year: "2020" }, "invalid_expiry_year", "exp_year", expect.any(String)],
	[{ number: visa, exp_year: "2199" }, "invalid_expiry_year", "exp_year", expect.any(String)],
	[{ number: visa, cvc: "12" }, "invalid_cvc", "cvc", expect.any(String)],
	[{ number: "378282246310005", cvc: "123" }, "invalid_cvc", "cvc", expect.any(String)],
])("the invalid card %o returns 402 and leaves the intent unchanged", async (card, code, param, message) => {
	const intent = await create();
	const { status, body } = await confirmInBrowser(intent, card);
	expect([status, body.error]).toMatchObject([402, { type: "card_error", code, param, message }]);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test("a card that expired last month returns expired_card, or invalid_expiry_year in January", async () => {
	const lastMonth = new Date();
	lastMonth.setUTCDate(0);
	const [exp_year = "", exp_month = ""] = lastMonth.toISOString().split("-");
	const { body } = await confirmInBrowser(await create(), { number: visa, exp_month, exp_year });
	const isJanuary = new Date().getUTCMonth() === 0;
	expect(body.error?.code).toBe(isJanuary ? "invalid_expiry_year" : "expired_card");
});

test.each([visa, "4000000000000127"])(
	"card %s succeeds without a security code, which is not checked",
	async (number) => {
		const intent = await create();
		expect(await confirmInBrowser(intent, { number, cvc: "" })).toMatchObject({ status: 200 });
		const { data } = await stripe.charges.list({ payment_intent: intent.id });
		expect(data[0]?.payment_method_details?.card?.checks?.cvc_check).toBeNull();
	},
);

test("after a decline, updating the intent clears its error and another card pays it", async () => {
	const intent = await create();
	await confirmInBrowser(intent, { number: "4000000000000002" });
	const updated = await stripe.paymentIntents.update(intent.id, { metadata: { attempt: "2" } });
	expect(updated).toMatchObject({ status: "requires_payment_method", last_payment_error: null });
	await confirmInBrowser(intent, { number: "4000000000000002" });
	const { body } = await confirmInBrowser(intent, { number: visa });
	expect(body).toMatchObject({ status: "succeeded", last_payment_error: null });
});
