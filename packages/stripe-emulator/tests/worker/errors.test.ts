import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SECRET_KEY } from "../../keys.ts";
import { control, create, host, postFromBrowser, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

const { StripeInvalidRequestError } = Stripe.errors;
const payment_method = "pm_card_visa";

const payable = "requires_payment_method, requires_confirmation, requires_action";
const cancelable = "requires_payment_method, requires_capture, requires_confirmation, requires_action";

test.each<[string, (id: string) => Promise<unknown>, string]>([
	[
		"cancel",
		(id) => stripe.paymentIntents.cancel(id),
		`You cannot cancel this PaymentIntent because it has a status of succeeded. Only a PaymentIntent with one of the following statuses may be canceled: ${cancelable}.`,
	],
	[
		"update the amount of",
		(id) => stripe.paymentIntents.update(id, { amount: 5000 }),
		`This PaymentIntent's amount could not be updated because it has a status of succeeded. You may only update the amount of a PaymentIntent with one of the following statuses: ${payable}.`,
	],
	[
		"confirm",
		(id) => stripe.paymentIntents.confirm(id, { payment_method }),
		"You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.",
	],
])("a call to %s a paid intent returns 400 payment_intent_unexpected_state", async (_, call, message) => {
	const paid = await stripe.paymentIntents.create({ amount: 1499, currency: "usd", confirm: true, payment_method });
	const error = await refusal(call(paid.id));
	expect(error).toBeInstanceOf(StripeInvalidRequestError);
	expect(error).toMatchObject({
		statusCode: 400,
		rawType: "invalid_request_error",
		code: "payment_intent_unexpected_state",
		message,
		payment_intent: { id: paid.id, status: "succeeded", amount_received: 1499 },
	});
});

const invalid = "parameter_invalid_integer";
const positive = "This value must be greater than or equal to 1.";
test.each<[Record<string, unknown>, string | undefined, string, string | RegExp]>([
	[{ payment_method_types: ["card"] }, "payment_method_types_no_longer_supported", "payment_method_types", /no longer/],
	[{ amount: undefined }, "parameter_missing", "amount", "Missing required param: amount."],
	[{ amount: "" }, "parameter_invalid_empty", "amount", "You passed an empty string for 'amount'."],
	[{ amount: 49 }, "amount_too_small", "amount", "Amount must be at least $0.50 usd"],
	[{ amount: 100_000_000 }, "amount_too_large", "amount", "Amount must be no more than $999,999.99"],
	[{ amount: 19.99 }, invalid, "amount", "Invalid integer: 19.99"],
	[{ amount: 0 }, invalid, "amount", positive],
	[{ amount: -500 }, invalid, "amount", positive],
	[{ currency: undefined }, "parameter_missing", "currency", "Missing required param: currency."],
	[{ currency: "xyz" }, undefined, "currency", /^Invalid currency: xyz/],
])("create with %j returns 400", async (params, code, param, message) => {
	const sent = { amount: 500, currency: "usd", ...params };
	const error = await refusal(stripe.rawRequest("POST", "/v1/payment_intents", sent));
	expect(error).toBeInstanceOf(StripeInvalidRequestError);
	expect(error).toMatchObject({ statusCode: 400, rawType: "invalid_request_error", param });
	expect(error.code).toBe(code);
	expect(error.message).toMatch(message);
	expect(error.requestId).toMatch(/^req_\w{14}$/);
});

const form = "amount=500&currency=usd";
const types = "allowed_payment_method_types[]";

/** Creates an intent from this body. */
function send(body: BodyInit | null) {
	const headers = { Authorization: `Bearer ${SECRET_KEY}`, "Content-Type": "application/x-www-form-urlencoded" };
	return host.fetch("/stripe-emulator/v1/payment_intents", { method: "POST", headers, body });
}

test.each([
	["an empty body", null],
	["a JSON body", '{"amount":500,"currency":"usd"}'],
	["bytes that are not valid UTF-8", new Uint8Array([0x61, 0x3d, 0xff, 0xfe, 0x26, 0x25])],
	["a group nested in the metadata", `${form}&metadata[a][b]=1`],
	["another payment method type", `${form}&${types}=link`],
	["types and automatic methods", `${form}&${types}=card&automatic_payment_methods[enabled]=true`],
	["confirm=1", `${form}&confirm=1`],
	["the secret key as a parameter", `${form}&key=${SECRET_KEY}`],
])("create with %s returns 400", async (_, body) => {
	const response = await send(body);
	const error = { type: "invalid_request_error", message: expect.stringMatching(/./) };
	expect([response.status, await response.json()]).toMatchObject([400, { error }]);
});

test("the last value of a repeated parameter is used, and text and metadata keys can be any characters", async () => {
	const names = ["__proto__", "constructor", "toString"];
	const metadata = names.map((name) => `metadata[${name}]=x`).join("&");
	const response = await send(`amount=x&amount=500&currency=usd&description=a%00b%F0%9F%92%B3&${metadata}`);
	const intent = await response.json<Stripe.PaymentIntent>();
	expect(intent).toMatchObject({ amount: 500, description: "a\0b💳" });
	expect(Object.entries(intent.metadata)).toEqual(names.map((name) => [name, "x"]));
});

const card = "type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=40";
test.each([
	["type=card", 400],
	["type=card&card=4242", 400],
	["type=link&card[number]=4242", 400],
	["type=card&card[number]=4242", 400],
	[`${card}&card[token]=tok_1`, 400],
	[`${card}&billing_details[address]=x`, 400],
	[`${card}&billing_details[age]=7`, 400],
	[`${card}&card[exp_month]=-1`, 402],
	[`${card}&card[exp_year]=-1`, 402],
	[`${card}&card[cvc]=abc`, 402],
	[`${card}&card[cvc]=12٣`, 402],
	[`${card}&card[number]=４２４２４２４２４２４２４２４２`, 402],
	[`${card}&card[number]=${"4".repeat(5000)}`, 402],
])("a browser's confirmation with the payment method data %s returns %i", async (data, expected) => {
	const intent = await create();
	const sent = [...new URLSearchParams(data)].map(([name, value]) => [
		name.replace(/^\w+/, "payment_method_data[$&]"),
		value,
	]);
	const { status, body } = await postFromBrowser<{ error: { type: string } }>(`payment_intents/${intent.id}/confirm`, {
		...Object.fromEntries(sent),
		client_secret: intent.client_secret ?? "",
	});
	expect([status, body.error.type]).toEqual([expected, expected === 402 ? "card_error" : "invalid_request_error"]);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

const details = "amount, currency, description, metadata, receipt_email";
const method = "payment_method, payment_method_data";
test.each([
	["customer", "", `${details}, allowed_payment_method_types, automatic_payment_methods, confirm, ${method}`],
	["shipping", "/pi_1", `${details}, ${method}`],
	["return_url", "/pi_1/confirm", `receipt_email, ${method}, use_stripe_sdk`],
	["comment", "/pi_1/cancel", "cancellation_reason"],
	["payment_method_data[id]", "", "billing_details, card, type".replaceAll(/\w+/g, "payment_method_data[$&]")],
])("the unsupported parameter %s returns 400 and lists the supported ones", async (param, path, supported) => {
	const sent = { ...(path === "" && { amount: 500, currency: "usd" }), [param]: "x" };
	const error = await refusal(stripe.rawRequest("POST", `/v1/payment_intents${path}`, sent));
	const message = `Received unknown parameter: ${param}. Here, the Stripe emulator supports ${supported}.`;
	expect(error).toMatchObject({ statusCode: 400, code: "parameter_unknown", param, message });
});

const confirmWith = async (id: string) => stripe.paymentIntents.confirm((await create()).id, { payment_method: id });
test.each<[string, string, string, (id: string) => Promise<unknown>]>([
	["pi_unknown", "payment_intent", "intent", (id) => stripe.paymentIntents.retrieve(id)],
	["pi_unknown", "payment_intent", "intent", (id) => stripe.paymentIntents.update(id, { description: "x" })],
	["pi_unknown", "payment_intent", "intent", (id) => stripe.paymentIntents.confirm(id, { payment_method })],
	["pi_unknown", "payment_intent", "intent", (id) => stripe.paymentIntents.cancel(id)],
	["ch_unknown", "charge", "id", (id) => stripe.charges.retrieve(id)],
	["re_unknown", "refund", "id", (id) => stripe.refunds.retrieve(id)],
	["evt_unknown", "event", "id", (id) => stripe.events.retrieve(id)],
	["pi_unknown", "payment_intent", "payment_intent", (id) => stripe.refunds.create({ payment_intent: id })],
	["ch_unknown", "charge", "charge", (id) => stripe.refunds.create({ charge: id })],
	["pm_nobody", "PaymentMethod", "payment_method", confirmWith],
	["4242424242424242", "PaymentMethod", "payment_method", confirmWith],
])("the unknown id %s of a %s in %s returns 404 resource_missing", async (id, object, param, call) => {
	const error = await refusal(call(id));
	expect(error).toBeInstanceOf(StripeInvalidRequestError);
	const message = `No such ${object}: '${id}'`;
	expect(error).toMatchObject({ statusCode: 404, code: "resource_missing", param, message });
});
