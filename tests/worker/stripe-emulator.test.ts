import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../stripe-emulator/keys.ts";
import { openShop, type Shop } from "../support/shop.ts";

/** The contract of the Stripe emulator, held against Stripe's own SDK. */

let shop: Shop;
let stripe: Stripe;
beforeAll(async () => {
	shop = await openShop();
	stripe = shop.stripe;
});
afterAll(() => shop?.close());

const create = (options?: Stripe.RequestOptions) =>
	stripe.paymentIntents.create({ amount: 1499, currency: "usd", allowed_payment_method_types: ["card"] }, options);

/** What a call is refused with; fails when it is not refused. */
async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
	const error = await call.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (error instanceof Stripe.errors.StripeError) return error;
	throw new Error(`Expected a refusal, got ${error}`);
}

/** A PaymentIntent, or what stands in place of it. */
interface Answer extends Partial<Stripe.PaymentIntent> {
	error?: { code?: string; decline_code?: string; payment_intent?: Stripe.PaymentIntent };
}

interface Card {
	number: string;
	exp_month?: string;
	exp_year?: string;
	cvc?: string;
}

/** Confirms as the card frame does: with the publishable key, the client secret and a card number. */
async function confirmInBrowser(intent: Stripe.PaymentIntent, card: Card) {
	const filled = { exp_month: "12", exp_year: "2040", cvc: card.number.length === 15 ? "1234" : "123", ...card };
	const form = new URLSearchParams({ "payment_method_data[type]": "card" });
	for (const [name, value] of Object.entries(filled)) if (value) form.set(`payment_method_data[card][${name}]`, value);
	form.set("payment_method_data[billing_details][email]", "ada@example.com");
	form.set("use_stripe_sdk", "true");
	form.set("key", PUBLISHABLE_KEY);
	form.set("client_secret", intent.client_secret ?? "");
	const path = `/stripe-emulator/v1/payment_intents/${intent.id}/confirm`;
	const response = await shop.fetch(path, { method: "POST", body: form, headers: { Origin: "null" } });
	return { status: response.status, headers: response.headers, body: await response.json<Answer>() };
}

function get(id: string, query: Record<string, string>) {
	return shop.fetch(`/stripe-emulator/v1/payment_intents/${id}?${new URLSearchParams(query)}`);
}

test("a new intent waits for a payment method", async () => {
	const intent = await create();
	expect(intent).toMatchObject({
		object: "payment_intent",
		id: expect.stringMatching(/^pi_[A-Za-z0-9]{24}$/),
		client_secret: expect.stringMatching(new RegExp(`^${intent.id}_secret_[A-Za-z0-9]{25}$`)),
		amount: 1499,
		amount_received: 0,
		currency: "usd",
		status: "requires_payment_method",
		livemode: false,
		metadata: {},
		allowed_payment_method_types: ["card"],
		automatic_payment_methods: null,
		capture_method: "automatic_async",
		last_payment_error: null,
		latest_charge: null,
	});
	expect(Math.abs(intent.created - Date.now() / 1000)).toBeLessThan(30);
	expect(intent.lastResponse.requestId).toMatch(/^req_\w{14}$/);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test("without a say in the matter, Stripe chooses the payment methods", async () => {
	const intent = await stripe.paymentIntents.create({ amount: 50, currency: "USD" });
	expect(intent).toMatchObject({
		automatic_payment_methods: { enabled: true, allow_redirects: "always" },
		allowed_payment_method_types: null,
		currency: "usd",
	});
});

test.each([
	["amount=&currency=usd", "parameter_invalid_empty", "amount", "You passed an empty string for 'amount'."],
	["currency=usd", "parameter_missing", "amount", "Missing required param: amount."],
	["amount=500", "parameter_missing", "currency", "Missing required param: currency."],
	["amount=19.99&currency=usd", "parameter_invalid_integer", "amount", "Invalid integer: 19.99"],
	["amount=0&currency=usd", "parameter_invalid_integer", "amount", "This value must be greater than or equal to 1."],
	["amount=49&currency=usd", "amount_too_small", "amount", "Amount must be at least $0.50 usd"],
	["amount=100000000&currency=usd", "amount_too_large", "amount", "Amount must be no more than $999,999.99"],
	["amount=500&currency=usd&colour=red", "parameter_unknown", "colour", "Received unknown parameter: colour"],
	["amount=500&currency=xyz", undefined, "currency", expect.stringContaining("Invalid currency: xyz")],
	[
		"amount=500&currency=usd&payment_method_types[]=card",
		"payment_method_types_no_longer_supported",
		"payment_method_types",
		expect.any(String),
	],
	["amount=500&currency=usd&shipping[name]=Ada", "parameter_missing", "shipping[address]", expect.any(String)],
	["amount=500&currency=usd&capture_method=manual", undefined, "capture_method", expect.any(String)],
])("create with %s is refused as %s", async (body, code, param, message) => {
	const response = await shop.fetch("/stripe-emulator/v1/payment_intents", {
		method: "POST",
		headers: { Authorization: `Bearer ${SECRET_KEY}`, "Content-Type": "application/x-www-form-urlencoded" },
		body,
	});
	expect(response.status).toBe(400);
	expect(response.headers.get("Request-Id")).toMatch(/^req_/);
	const { error } = await response.json<Answer>();
	expect(error).toMatchObject({ type: "invalid_request_error", param, message });
	expect(error?.code).toBe(code);
});

test.each([50, 99_999_999])("%i cents is an amount", async (amount) => {
	expect(await stripe.paymentIntents.create({ amount, currency: "usd" })).toMatchObject({ amount });
});

test("an update merges metadata, and an empty value removes what was there", async () => {
	const { id } = await stripe.paymentIntents.create({
		amount: 1499,
		currency: "usd",
		description: "Six things",
		metadata: { shop: "half-dozen", owner: "guest" },
		receipt_email: "ada@example.com",
		shipping: { name: "Ada", address: { line1: "1 Main Street", country: "US" } },
	});
	const changed = await stripe.paymentIntents.update(id, { amount: 2000, metadata: { owner: "", items: "6" } });
	expect(changed).toMatchObject({
		amount: 2000,
		metadata: { shop: "half-dozen", items: "6" },
		description: "Six things",
		receipt_email: "ada@example.com",
		shipping: { name: "Ada", address: { line1: "1 Main Street", line2: null } },
	});
	expect(changed.metadata).not.toHaveProperty("owner");
	const emptied = await stripe.paymentIntents.update(id, { metadata: "", receipt_email: "", shipping: "" });
	expect(emptied).toMatchObject({ metadata: {}, receipt_email: null, shipping: null, description: "Six things" });
});

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
	...["4000002760003184", "4000002500003155", "4000003800000446", "4000008260003178", "4000000000003220"].map(
		(number) => [
			number,
			"authentication_required",
			"authentication_required",
			"Your card was declined. This transaction requires authentication.",
		],
	),
	["4000008400001629", "authentication_required", "authentication_required", expect.any(String)],
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

test("a browser sees the public part of an intent and nothing else", async () => {
	const intent = await stripe.paymentIntents.create({ amount: 500, currency: "usd", metadata: { owner: "ada" } });
	const { body } = await confirmInBrowser(intent, { number: "4242424242424242" });
	const response = await get(intent.id, { key: PUBLISHABLE_KEY, client_secret: intent.client_secret ?? "" });
	expect(await response.json()).toEqual(body);
	expect(Object.keys(body).sort()).toEqual([
		"amount",
		"canceled_at",
		"cancellation_reason",
		"capture_method",
		"client_secret",
		"confirmation_method",
		"created",
		"currency",
		"description",
		"id",
		"last_payment_error",
		"livemode",
		"next_action",
		"object",
		"payment_method",
		"payment_method_types",
		"receipt_email",
		"setup_future_usage",
		"shipping",
		"status",
	]);
	const again = await confirmInBrowser(intent, { number: "4242424242424242" });
	expect(again.body.error?.payment_intent).toEqual(body);
});

test("a browser needs the intent's client secret, and no other will do", async () => {
	const intent = await create();
	const other = await create();
	const key = PUBLISHABLE_KEY;
	expect((await get(intent.id, { key })).status).toBe(400);
	expect((await get(intent.id, { key, client_secret: other.client_secret ?? "" })).status).toBe(400);
	expect((await get(intent.id, { key, client_secret: `${intent.client_secret}x` })).status).toBe(400);
	const stolen = await confirmInBrowser(
		{ ...intent, client_secret: other.client_secret },
		{ number: "4242424242424242" },
	);
	expect(stolen).toMatchObject({ status: 400, body: { error: { param: "client_secret" } } });
	expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe("requires_payment_method");
});

test.each(["", "/update", "/cancel"])("a publishable key does not open what is for servers (%s)", async (ending) => {
	const { id, client_secret } = await create();
	const path = { "": "", "/update": `/${id}`, "/cancel": `/${id}/cancel` }[ending];
	const response = await shop.fetch(`/stripe-emulator/v1/payment_intents${path}`, {
		method: "POST",
		body: new URLSearchParams({
			key: PUBLISHABLE_KEY,
			client_secret: client_secret ?? "",
			amount: "50",
			currency: "usd",
		}),
	});
	expect(response.status).toBe(401);
	expect(await response.json()).toMatchObject({ error: { code: "secret_key_required" } });
});

test("no key, a wrong key and the secret key as a parameter are refused", async () => {
	const { id } = await create();
	const keyless = await get(id, {});
	expect(keyless.status).toBe(401);
	expect(await keyless.json()).toMatchObject({
		error: { message: expect.stringMatching(/^You did not provide an API key/) },
	});
	expect((await get(id, { key: SECRET_KEY })).status).toBe(401);
	const httpClient = Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
		const { pathname } = new URL(input instanceof Request ? input.url : input);
		return shop.fetch(`/stripe-emulator${pathname}`, init);
	});
	const stranger = new Stripe("sk_live_notmine_0123456789", { httpClient });
	const error = await refusal(stranger.paymentIntents.retrieve(id));
	expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
	expect(error.message).toBe("Invalid API Key provided: sk_live_********6789");
});

test("an unknown intent is missing, for every call", async () => {
	const { retrieve, update, confirm, cancel } = {
		retrieve: stripe.paymentIntents.retrieve("pi_unknown"),
		update: stripe.paymentIntents.update("pi_unknown", { description: "x" }),
		confirm: stripe.paymentIntents.confirm("pi_unknown", { payment_method: "pm_card_visa" }),
		cancel: stripe.paymentIntents.cancel("pi_unknown"),
	};
	for (const error of await Promise.all([retrieve, update, confirm, cancel].map(refusal))) {
		expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
		expect(error).toMatchObject({
			statusCode: 404,
			code: "resource_missing",
			param: "intent",
			message: "No such payment_intent: 'pi_unknown'",
		});
	}
});

test("an unknown address is refused", async () => {
	expect(await refusal(stripe.customers.list())).toMatchObject({ statusCode: 404 });
});

test("a server confirms with a shared payment method", async () => {
	const { id } = await create();
	const paid = await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	expect(paid).toMatchObject({ status: "succeeded", amount_received: 1499 });
	const other = await create();
	const error = await refusal(
		stripe.paymentIntents.confirm(other.id, { payment_method: "pm_card_visa_chargeDeclinedInsufficientFunds" }),
	);
	expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
	expect(error).toMatchObject({
		code: "card_declined",
		decline_code: "insufficient_funds",
		payment_intent: { id: other.id, metadata: {} },
	});
});

test("a payment method given beforehand waits for the confirmation", async () => {
	const params = { amount: 500, currency: "usd", payment_method: "pm_card_mastercard" };
	const intent = await stripe.paymentIntents.create(params);
	expect(intent).toMatchObject({
		status: "requires_confirmation",
		payment_method: expect.stringMatching(/^pm_\w{24}$/),
	});
	expect(await stripe.paymentIntents.confirm(intent.id)).toMatchObject({
		status: "succeeded",
		payment_method: intent.payment_method,
	});
	expect(await stripe.paymentIntents.create({ ...params, confirm: true })).toMatchObject({ status: "succeeded" });
	const given = await stripe.paymentIntents.update((await create()).id, { payment_method: "pm_card_visa" });
	expect(given.status).toBe("requires_confirmation");
});

test("confirming needs a payment method that exists", async () => {
	const { id } = await create();
	expect(await refusal(stripe.paymentIntents.confirm(id))).toMatchObject({ code: "payment_intent_unexpected_state" });
	expect(await refusal(stripe.paymentIntents.confirm(id, { payment_method: "pm_nobody" }))).toMatchObject({
		code: "resource_missing",
		message: "No such PaymentMethod: 'pm_nobody'",
	});
});

test("a server may not send card numbers", async () => {
	const { id } = await create();
	const response = await shop.fetch(`/stripe-emulator/v1/payment_intents/${id}/confirm`, {
		method: "POST",
		headers: { Authorization: `Bearer ${SECRET_KEY}`, "Idempotency-Key": crypto.randomUUID() },
		body: new URLSearchParams({
			"payment_method_data[type]": "card",
			"payment_method_data[card][number]": "4242424242424242",
			"payment_method_data[card][exp_month]": "12",
			"payment_method_data[card][exp_year]": "2040",
		}),
	});
	expect(response.status).toBe(400);
	expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("generally unsafe") } });
});

test("a paid intent cannot be confirmed, cancelled or repriced, and says that it is paid", async () => {
	const { id } = await create();
	await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	const payable = "requires_payment_method, requires_confirmation, requires_action";
	const errors = await Promise.all([
		refusal(stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" })),
		refusal(stripe.paymentIntents.cancel(id)),
		refusal(stripe.paymentIntents.update(id, { amount: 5000 })),
	]);
	expect(errors.map((error) => error.message)).toEqual([
		"You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.",
		"You cannot cancel this PaymentIntent because it has a status of succeeded. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.",
		`This PaymentIntent's amount could not be updated because it has a status of succeeded. You may only update the amount of a PaymentIntent with one of the following statuses: ${payable}.`,
	]);
	for (const error of errors) {
		expect(error).toMatchObject({
			statusCode: 400,
			code: "payment_intent_unexpected_state",
			payment_intent: { id, status: "succeeded", amount_received: 1499 },
		});
	}
	expect(await stripe.paymentIntents.update(id, { metadata: { late: "yes" } })).toMatchObject({ status: "succeeded" });
});

test("a cancelled intent says when and why, and can be neither cancelled again nor paid", async () => {
	const { id } = await create();
	const canceled = await stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
	expect(canceled).toMatchObject({
		status: "canceled",
		cancellation_reason: "abandoned",
		canceled_at: expect.any(Number),
	});
	expect(await refusal(stripe.paymentIntents.cancel(id))).toMatchObject({ payment_intent: { status: "canceled" } });
	expect(await refusal(stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" }))).toMatchObject({
		code: "payment_intent_unexpected_state",
		payment_intent: { status: "canceled" },
	});
	const other = await create();
	const unreasonable = stripe.paymentIntents.cancel(other.id, { cancellation_reason: "bored" });
	expect(await refusal(unreasonable)).toMatchObject({ param: "cancellation_reason" });
});

test("of many confirmations at once exactly one pays", async () => {
	const intent = await create();
	const answers = await Promise.all(
		Array.from({ length: 10 }, () => confirmInBrowser(intent, { number: "4242424242424242" })),
	);
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	expect(answers.filter(({ body }) => body.error?.payment_intent?.status === "succeeded")).toHaveLength(9);
});

test("the same key and parameters get the first answer again", async () => {
	const idempotencyKey = crypto.randomUUID();
	const first = await create({ idempotencyKey });
	const again = await create({ idempotencyKey });
	expect(again).toEqual(first);
	expect(replayed(first)).toBe(false);
	expect(replayed(again)).toBe(true);
	expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId);
});

test("a decline is the answer to its key, even when a new attempt would succeed", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	const decline = () =>
		stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa_chargeDeclined" }, { idempotencyKey });
	const first = await refusal(decline());
	await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	const again = await refusal(decline());
	expect(again).toMatchObject({ statusCode: 402, charge: first.charge });
	expect(again.headers?.["idempotent-replayed"]).toBe("true");
});

test("a key used for something else is refused", async () => {
	const idempotencyKey = crypto.randomUUID();
	const { id } = await create({ idempotencyKey });
	const otherAmount = stripe.paymentIntents.create({ amount: 50, currency: "usd" }, { idempotencyKey });
	const otherEndpoint = stripe.paymentIntents.cancel(id, {}, { idempotencyKey });
	for (const error of await Promise.all([otherAmount, otherEndpoint].map(refusal))) {
		expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
		expect(error.message).toContain(`Try using a key other than '${idempotencyKey}'`);
	}
	expect((await stripe.paymentIntents.retrieve(id)).status).toBe("requires_payment_method");
});

test("parameters that were refused leave their key unused", async () => {
	const idempotencyKey = crypto.randomUUID();
	await refusal(stripe.paymentIntents.create({ amount: 1, currency: "usd" }, { idempotencyKey }));
	expect(replayed(await create({ idempotencyKey }))).toBe(false);
});

test("a key whose first request is still on its way is in use", async () => {
	const idempotencyKey = crypto.randomUUID();
	const body = "amount=500&currency=usd";
	const { hostname, port } = shop.url;
	const slow = httpRequest({
		hostname,
		port,
		method: "POST",
		path: "/stripe-emulator/v1/payment_intents",
		headers: {
			Authorization: `Bearer ${SECRET_KEY}`,
			"Idempotency-Key": idempotencyKey,
			"Content-Type": "application/x-www-form-urlencoded",
			"Content-Length": body.length,
		},
	});
	const answered = new Promise<number | undefined>((resolve, reject) => {
		slow.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject);
	});
	slow.write(body.slice(0, 5));
	// Refused parameters leave the key unused, so that asking too early does no harm.
	const ask = () => refusal(stripe.paymentIntents.create({ amount: 1, currency: "usd" }, { idempotencyKey }));
	await expect.poll(ask, { timeout: 5000 }).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
	slow.end(body.slice(5));
	expect(await answered).toBe(200);
});

test("a GET takes no notice of a key", async () => {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	await stripe.paymentIntents.retrieve(id, {}, { idempotencyKey });
	await stripe.paymentIntents.cancel(id);
	expect((await stripe.paymentIntents.retrieve(id, {}, { idempotencyKey })).status).toBe("canceled");
});

test("a browser's requests are not kept under a key: they hold card numbers", async () => {
	const intent = await create();
	const form = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret: intent.client_secret ?? "" });
	form.set("payment_method", "pm_card_visa_chargeDeclined");
	const confirm = () =>
		shop.fetch(`/stripe-emulator/v1/payment_intents/${intent.id}/confirm`, {
			method: "POST",
			headers: { "Idempotency-Key": intent.id },
			body: form,
		});
	const [first, second] = [await confirm(), await confirm()];
	expect([first.status, second.status]).toEqual([402, 402]);
	expect(second.headers.has("Idempotent-Replayed")).toBe(false);
});

test("the card frame is sealed off from the page around it", async () => {
	const response = await shop.fetch("/stripe-emulator/card-frame");
	const policy = response.headers.get("Content-Security-Policy");
	expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
	expect(policy).toContain(`connect-src ${shop.url.origin}/stripe-emulator/v1/;`);
	expect(policy).toContain("frame-ancestors 'self'");
	expect(Object.fromEntries(response.headers)).toMatchObject({
		"cache-control": "no-store",
		"referrer-policy": "no-referrer",
		"x-content-type-options": "nosniff",
	});
	expect(response.headers.has("Cross-Origin-Resource-Policy")).toBe(false);
});

test("the script is checked for a newer one each time", async () => {
	const response = await shop.fetch("/stripe-emulator/stripe.js");
	expect(response.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
	expect(response.headers.get("Cache-Control")).toBe("no-cache");
	expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
});

test("the frame may call the API from its opaque origin, but not with an Authorization header", async () => {
	const { headers } = await confirmInBrowser(await create(), { number: "4242424242424242" });
	expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
	const preflight = await shop.fetch("/stripe-emulator/v1/payment_intents/pi_1/confirm", { method: "OPTIONS" });
	expect(preflight.status).toBe(204);
	expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
	expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe("Content-Type");
});

test.each(["stripe.js", "card-frame", "v1/payment_intents"])(
	"on any but a loopback host there is no %s",
	async (path) => {
		const { hostname, port } = shop.url;
		const headers = { Host: "shop.example.com", Authorization: `Bearer ${SECRET_KEY}` };
		const [response] = await once(
			httpRequest({ hostname, port, path: `/stripe-emulator/${path}`, headers }).end(),
			"response",
		);
		expect([response.statusCode, await text(response)]).toEqual([404, "Not found"]);
	},
);

test("anything else below /stripe-emulator/ is not found", async () => {
	expect((await shop.fetch("/stripe-emulator/")).status).toBe(404);
	expect((await shop.fetch("/stripe-emulator/stripe.js", { method: "POST" })).status).toBe(404);
});

function replayed({ lastResponse }: Stripe.Response<Stripe.PaymentIntent>): boolean {
	const { headers } = lastResponse;
	return (headers instanceof Headers ? headers.get("idempotent-replayed") : headers["idempotent-replayed"]) === "true";
}
