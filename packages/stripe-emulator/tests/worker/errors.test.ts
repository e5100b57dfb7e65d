import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Control } from "../../controls/control.ts";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { control, create, paymentMethodOf, refusal, stripe, stripeWith } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

const {
	StripeAPIError,
	StripeAuthenticationError,
	StripeCardError,
	StripeIdempotencyError,
	StripeInvalidRequestError,
	StripeRateLimitError,
} = Stripe.errors;

/** The SDK reports a missing decline code as "". */
const declines = [
	["pm_card_visa_chargeDeclined", "card_declined", "generic_decline", "Your card was declined."],
	[
		"pm_card_visa_chargeDeclinedInsufficientFunds",
		"card_declined",
		"insufficient_funds",
		"Your card has insufficient funds.",
	],
	["pm_card_visa_chargeDeclinedLostCard", "card_declined", "lost_card", "Your card was declined."],
	["pm_card_visa_chargeDeclinedStolenCard", "card_declined", "stolen_card", "Your card was declined."],
	[
		"pm_card_visa_chargeDeclinedVelocityLimitExceeded",
		"card_declined",
		"card_velocity_exceeded",
		"Your card was declined.",
	],
	["pm_card_radarBlock", "card_declined", "fraudulent", "Your card was declined."],
	["pm_card_chargeCustomerFail", "card_declined", "generic_decline", "Your card was declined."],
	["pm_card_chargeDeclinedExpiredCard", "expired_card", "", "Your card has expired.", "exp_month"],
	["pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", "", "Your card's security code is incorrect.", "cvc"],
	[
		"pm_card_chargeDeclinedProcessingError",
		"processing_error",
		"",
		"An error occurred while processing your card. Try again in a little bit.",
	],
] as const;

test.each(declines)("%s returns 402 %s %s", async (payment_method, code, declineCode, message, param?: string) => {
	const { id } = await create();
	const error = await refusal(stripe.paymentIntents.confirm(id, { payment_method }));
	expect(error).toBeInstanceOf(StripeCardError);
	expect(error).toMatchObject({
		statusCode: 402,
		rawType: "card_error",
		code,
		message,
		doc_url: expect.stringContaining(code.replaceAll("_", "-")),
		charge: expect.stringMatching(/^ch_\w{24}$/),
		payment_intent: {
			id,
			status: "requires_payment_method",
			payment_method: null,
			last_payment_error: { type: "card_error", code, message, charge: error.charge },
		},
		payment_method: { object: "payment_method", type: "card", card: { checks: { cvc_check: null } } },
	});
	expect([error.decline_code, error.param]).toEqual([declineCode, param]);
	expect(error.requestId).toMatch(/^req_\w{14}$/);
});

test("a real card's number returns 402 card_declined test_mode_live_card", async () => {
	const payment_method = await paymentMethodOf("4539578763621486");
	const error = await refusal(stripe.paymentIntents.confirm((await create()).id, { payment_method }));
	expect(error).toBeInstanceOf(StripeCardError);
	expect(error).toMatchObject({
		statusCode: 402,
		code: "card_declined",
		decline_code: "test_mode_live_card",
		message:
			"Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
	});
});

test("a number with an invalid check digit returns 402 incorrect_number", async () => {
	const card = { number: "4242424242424241", exp_month: 12, exp_year: 2040, cvc: "123" };
	const error = await refusal(stripeWith(PUBLISHABLE_KEY).paymentMethods.create({ type: "card", card }));
	expect(error).toBeInstanceOf(StripeCardError);
	expect(error).toMatchObject({
		statusCode: 402,
		code: "incorrect_number",
		param: "number",
		message: "Your card number is incorrect.",
	});
});

const payment_method = "pm_card_authenticationRequired";
test.each([
	["off_session", (id: string) => stripe.paymentIntents.confirm(id, { payment_method, off_session: true })],
	[
		"error_on_requires_action",
		(id: string) => stripe.paymentIntents.confirm(id, { payment_method, error_on_requires_action: true }),
	],
])("%s with a card that requires authentication returns 402 authentication_required", async (_, confirm) => {
	const { id } = await create();
	const error = await refusal(confirm(id));
	expect(error).toBeInstanceOf(StripeCardError);
	expect(error).toMatchObject({
		statusCode: 402,
		code: "authentication_required",
		decline_code: "authentication_required",
		message: "Your card was declined. This transaction requires authentication.",
		payment_intent: { id, status: "requires_payment_method", next_action: null },
	});
});

const payable = "requires_payment_method, requires_confirmation, requires_action";
const cancelable = "requires_payment_method, requires_capture, requires_confirmation, requires_action";

test.each([
	[
		"cancel",
		(id: string) => stripe.paymentIntents.cancel(id),
		`You cannot cancel this PaymentIntent because it has a status of succeeded. Only a PaymentIntent with one of the following statuses may be canceled: ${cancelable}.`,
	],
	[
		"update the amount of",
		(id: string) => stripe.paymentIntents.update(id, { amount: 5000 }),
		`This PaymentIntent's amount could not be updated because it has a status of succeeded. You may only update the amount of a PaymentIntent with one of the following statuses: ${payable}.`,
	],
	[
		"confirm",
		(id: string) => stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" }),
		"You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.",
	],
])("a call to %s a paid intent returns 400 payment_intent_unexpected_state", async (_, call, message) => {
	const paid = await stripe.paymentIntents.create({
		amount: 1499,
		currency: "usd",
		confirm: true,
		payment_method: "pm_card_visa",
	});
	const error = await refusal(call(paid.id));
	expect(error).toBeInstanceOf(StripeInvalidRequestError);
	expect(error).toMatchObject({
		statusCode: 400,
		rawType: "invalid_request_error",
		code: "payment_intent_unexpected_state",
		message,
		payment_intent: { id: paid.id, status: "succeeded", amount: 1499 },
	});
});

const usd = { currency: "usd" };
test.each<[string, Record<string, unknown>, string | undefined, string, string | RegExp]>([
	[
		"payment_method_types",
		{ ...usd, amount: 500, payment_method_types: ["card"] },
		"payment_method_types_no_longer_supported",
		"payment_method_types",
		/no longer supported/,
	],
	["49 cents", { ...usd, amount: 49 }, "amount_too_small", "amount", "Amount must be at least $0.50 usd"],
	[
		"an amount of nine digits",
		{ ...usd, amount: 100_000_000 },
		"amount_too_large",
		"amount",
		"Amount must be no more than $999,999.99",
	],
	["no amount", usd, "parameter_missing", "amount", "Missing required param: amount."],
	["no currency", { amount: 500 }, "parameter_missing", "currency", "Missing required param: currency."],
	["a fractional amount", { ...usd, amount: 19.99 }, "parameter_invalid_integer", "amount", "Invalid integer: 19.99"],
	["an amount of 1e3", { ...usd, amount: "1e3" }, "parameter_invalid_integer", "amount", "Invalid integer: 1e3"],
	[
		"an amount of 0",
		{ ...usd, amount: 0 },
		"parameter_invalid_integer",
		"amount",
		"This value must be greater than or equal to 1.",
	],
	[
		"a negative amount",
		{ ...usd, amount: -500 },
		"parameter_invalid_integer",
		"amount",
		"This value must be greater than or equal to 1.",
	],
	["a list of amounts", { ...usd, amount: [500] }, undefined, "amount", "Invalid string: amount"],
	[
		"an unknown parameter",
		{ ...usd, amount: 500, foo: "bar" },
		"parameter_unknown",
		"foo",
		"Received unknown parameter: foo",
	],
	[
		"expand",
		{ ...usd, amount: 500, expand: ["latest_charge"] },
		"parameter_unknown",
		"expand",
		"Received unknown parameter: expand",
	],
	[
		"off_session without confirm",
		{ ...usd, amount: 500, off_session: true },
		undefined,
		"off_session",
		"You can only set off_session with confirm=true.",
	],
	[
		"an unknown shipping field",
		{ ...usd, amount: 500, shipping: { name: "Ada", address: { line1: "1 Main Street", planet: "Earth" } } },
		"parameter_unknown",
		"shipping[address][planet]",
		"Received unknown parameter: shipping[address][planet]",
	],
	[
		"a list as the shipping name",
		{ ...usd, amount: 500, shipping: { name: ["Ada"], address: { line1: "1 Main Street" } } },
		undefined,
		"shipping[name]",
		"Invalid string: shipping[name]",
	],
	["a string as metadata", { ...usd, amount: 500, metadata: "x" }, undefined, "metadata", "Invalid object"],
	[
		"51 metadata keys",
		{ ...usd, amount: 500, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [index, "x"])) },
		undefined,
		"metadata",
		"Metadata can have up to 50 keys.",
	],
])("create with %s returns 400", async (_, params, code, param, message) => {
	const error = await refusal(stripe.rawRequest("POST", "/v1/payment_intents", params));
	expect(error).toBeInstanceOf(StripeInvalidRequestError);
	expect(error).toMatchObject({ statusCode: 400, rawType: "invalid_request_error", param });
	expect(error.code).toBe(code);
	expect(error.message).toMatch(message);
});

test.each([
	["pi_unknown", "payment_intent", "intent", (id: string) => stripe.paymentIntents.retrieve(id)],
	["constructor", "payment_intent", "intent", (id: string) => stripe.paymentIntents.cancel(id)],
	["ch_unknown", "charge", "id", (id: string) => stripe.charges.retrieve(id)],
	["re_unknown", "refund", "id", (id: string) => stripe.refunds.retrieve(id)],
	["evt_unknown", "event", "id", (id: string) => stripe.events.retrieve(id)],
	["pi_unknown", "payment_intent", "payment_intent", (id: string) => stripe.refunds.create({ payment_intent: id })],
	["ch_unknown", "charge", "charge", (id: string) => stripe.refunds.create({ charge: id })],
])("the unknown id %s of a %s returns 404 resource_missing", async (id, object, param, call) => {
	const error = await refusal(call(id));
	expect(error).toBeInstanceOf(StripeInvalidRequestError);
	const message = `No such ${object}: '${id}'`;
	expect(error).toMatchObject({ statusCode: 404, code: "resource_missing", param, message });
});

test.each(["pm_nobody", "constructor", "__proto__"])(
	"the unknown payment method %s returns 404 resource_missing",
	async (id) => {
		const error = await refusal(stripe.paymentIntents.confirm((await create()).id, { payment_method: id }));
		const message = `No such PaymentMethod: '${id}'`;
		expect(error).toMatchObject({ statusCode: 404, code: "resource_missing", param: "payment_method", message });
	},
);

test("an invalid API key returns 401 with the key masked", async () => {
	const error = await refusal(stripeWith("sk_live_notmine_0123456789").paymentIntents.list());
	expect(error).toBeInstanceOf(StripeAuthenticationError);
	expect(error).toMatchObject({
		statusCode: 401,
		rawType: "invalid_request_error",
		message: "Invalid API Key provided: sk_live_********6789",
	});
	expect(error.code).toBeUndefined();
});

test("reusing an idempotency key for another request returns 400 idempotency_error", async () => {
	const idempotencyKey = crypto.randomUUID();
	await create({ idempotencyKey });
	const error = await refusal(stripe.paymentIntents.create({ amount: 50, currency: "usd" }, { idempotencyKey }));
	expect(error).toBeInstanceOf(StripeIdempotencyError);
	expect(error).toMatchObject({
		statusCode: 400,
		rawType: "idempotency_error",
		message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${idempotencyKey}' if you meant to execute a different request.`,
	});
});

const fault = { control: "fail", when: "before" } as const satisfies Partial<Control>;
test.each([
	["409", StripeAPIError, 409, "idempotency_error", "idempotency_key_in_use", /another in-progress request/],
	[
		"lock_timeout",
		StripeRateLimitError,
		429,
		"invalid_request_error",
		"lock_timeout",
		/^This object cannot be accessed/,
	],
	["429", StripeRateLimitError, 429, "invalid_request_error", "rate_limit", /^Request rate limit exceeded/],
	["500", StripeAPIError, 500, "api_error", undefined, /./],
] as const)(
	"an injected %s returns the matching SDK error once",
	async (name, ErrorClass, statusCode, rawType, code, message) => {
		await control({ ...fault, fault: name });
		const error = await refusal(create());
		expect(error).toBeInstanceOf(ErrorClass);
		expect(error).toMatchObject({ statusCode, rawType });
		expect(error.code).toBe(code);
		expect(error.message).toMatch(message);
		expect(await create()).toMatchObject({ status: "requires_payment_method" });
	},
);
