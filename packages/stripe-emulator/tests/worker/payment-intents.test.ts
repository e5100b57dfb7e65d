import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import type { IntentBody } from "../support/browser-calls.ts";
import { confirmInBrowser, control, create, host, refusal, stripe, stripeWith } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

test("a new intent has the status requires_payment_method", async () => {
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

test("automatic payment methods are enabled by default", async () => {
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
])("create with %s returns 400", async (body, code, param, message) => {
	const response = await host.fetch("/stripe-emulator/v1/payment_intents", {
		method: "POST",
		headers: { Authorization: `Bearer ${SECRET_KEY}`, "Content-Type": "application/x-www-form-urlencoded" },
		body,
	});
	expect(response.status).toBe(400);
	expect(response.headers.get("Request-Id")).toMatch(/^req_/);
	const { error } = await response.json<IntentBody>();
	expect(error).toMatchObject({ type: "invalid_request_error", param, message });
	expect(error?.code).toBe(code);
});

test.each([50, 99_999_999])("%i cents is a valid amount", async (amount) => {
	expect(await stripe.paymentIntents.create({ amount, currency: "usd" })).toMatchObject({ amount });
});

test("an update merges metadata, and an empty value unsets a key", async () => {
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

test("a server can confirm with a shared payment method", async () => {
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

test("attaching a payment method moves the intent to requires_confirmation", async () => {
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

test("confirm requires an existing payment method", async () => {
	const { id } = await create();
	expect(await refusal(stripe.paymentIntents.confirm(id))).toMatchObject({ code: "payment_intent_unexpected_state" });
	expect(await refusal(stripe.paymentIntents.confirm(id, { payment_method: "pm_nobody" }))).toMatchObject({
		code: "resource_missing",
		message: "No such PaymentMethod: 'pm_nobody'",
	});
});

test("a server's call with a card number returns 400", async () => {
	const { id } = await create();
	const response = await host.fetch(`/stripe-emulator/v1/payment_intents/${id}/confirm`, {
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

test("a paid intent cannot be confirmed or canceled, and its amount cannot be changed", async () => {
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

test("a canceled intent has a cancellation time and reason, and can be neither canceled again nor paid", async () => {
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

test("exactly one of many concurrent confirmations succeeds", async () => {
	const intent = await create();
	const answers = await Promise.all(
		Array.from({ length: 10 }, () => confirmInBrowser(intent, { number: "4242424242424242" })),
	);
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	expect(answers.filter(({ body }) => body.error?.payment_intent?.status === "succeeded")).toHaveLength(9);
});

test("intents are listed newest first and paginated in both directions", async () => {
	const made = [];
	for (let count = 0; count < 5; count++) made.push((await create()).id);
	const [first, second, third, fourth, fifth] = made;
	const page = async (params: Stripe.PaymentIntentListParams) => {
		const { data, has_more } = await stripe.paymentIntents.list(params);
		return { ids: data.map(({ id }) => id), has_more };
	};
	expect(await page({ limit: 3 })).toEqual({ ids: [fifth, fourth, third], has_more: true });
	expect(await page({ limit: 1, starting_after: third ?? "" })).toEqual({ ids: [second], has_more: true });
	expect(await page({ limit: 2, ending_before: second ?? "" })).toEqual({ ids: [fourth, third], has_more: true });
	expect(await page({ limit: 3, ending_before: second ?? "" })).toEqual({
		ids: [fifth, fourth, third],
		has_more: false,
	});
	expect(await page({ ending_before: fifth ?? "" })).toEqual({ ids: [], has_more: false });
	const ids = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 5 });
	expect(ids.map(({ id }) => id)).toEqual([fifth, fourth, third, second, first]);
	expect((await stripe.paymentIntents.list()).data).toHaveLength(10);
});

test("a list can be filtered by creation time", async () => {
	const older = await create();
	await control({ control: "clock", advance: 3600 });
	const newer = await create();
	const ids = async (created: Stripe.RangeQueryParam | number) =>
		(await stripe.paymentIntents.list({ created, limit: 100 })).data.map(({ id }) => id);
	const between = newer.created - 60;
	expect(await ids({ gte: between })).toEqual([newer.id]);
	expect(await ids({ lt: between })).not.toContain(newer.id);
	expect(await ids(newer.created)).toEqual([newer.id]);
	expect(await ids({ gt: newer.created })).toEqual([]);
	expect(await ids({ gte: older.created, lte: older.created })).toContain(older.id);
	expect(await ids({ gt: older.created, lt: newer.created })).toEqual([]);
	expect(await ids({ gt: older.created, lte: newer.created })).toEqual([newer.id]);
});

test.each([
	["limit=0", "limit"],
	["limit=101", "limit"],
	["limit=1e1", "limit"],
	["limit[]=5", "limit"],
	["starting_after=pi_unknown", "starting_after"],
	["ending_before=pi_unknown", "ending_before"],
	["starting_after=pi_1&ending_before=pi_2", undefined],
	["created=yesterday", "created"],
	["created[gte]=yesterday", "created[gte]"],
	["created[before]=5", "created[before]"],
	["customer=cus_1", "customer"],
	["expand[]=data.latest_charge", "expand"],
])("listing intents with %s returns an error that names the parameter", async (query, param) => {
	const error = await refusal(stripe.rawRequest("GET", `/v1/payment_intents?${query}`));
	expect(error.statusCode).toBe(query.endsWith("_unknown") ? 404 : 400);
	expect(error.param).toBe(param);
});

test("create with confirm=true completes the payment, or leaves a declined intent that can still be paid", async () => {
	const params = { amount: 1499, currency: "usd", confirm: true };
	const paid = await stripe.paymentIntents.create({ ...params, payment_method: "pm_card_visa" });
	expect(paid).toMatchObject({ status: "succeeded", amount_received: 1499 });
	const declined = await refusal(
		stripe.paymentIntents.create({ ...params, payment_method: "pm_card_visa_chargeDeclined" }),
	);
	const id = declined.payment_intent?.id ?? "";
	expect(declined).toMatchObject({ statusCode: 402, payment_intent: { status: "requires_payment_method" } });
	expect(await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" })).toMatchObject({
		status: "succeeded",
		last_payment_error: null,
	});
	expect(await refusal(stripe.paymentIntents.create(params))).toMatchObject({
		statusCode: 400,
		code: "payment_intent_unexpected_state",
	});
	const off = { ...params, payment_method: "pm_card_authenticationRequired", off_session: true };
	expect(await refusal(stripe.paymentIntents.create(off))).toMatchObject({ code: "authentication_required" });
});

test("a decline detaches the payment method, so the next attempt requires a new one", async () => {
	const { id } = await create();
	await refusal(stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa_chargeDeclined" }));
	expect(await refusal(stripe.paymentIntents.confirm(id))).toMatchObject({
		statusCode: 400,
		code: "payment_intent_unexpected_state",
		message: expect.stringContaining("missing a payment method"),
	});
});

test.each([
	["requires_payment_method", {}],
	["requires_confirmation", { payment_method: "pm_card_visa" }],
	["requires_action", { payment_method: "pm_card_authenticationRequired", confirm: true }],
])("the amount of an intent in %s can be changed, and the intent can be canceled", async (status, params) => {
	const intent = await stripe.paymentIntents.create({ amount: 1499, currency: "usd", ...params });
	expect(intent.status).toBe(status);
	expect(await stripe.paymentIntents.update(intent.id, { amount: 999 })).toMatchObject({ status, amount: 999 });
	expect(await stripe.paymentIntents.cancel(intent.id)).toMatchObject({ status: "canceled", amount: 999 });
	expect(await refusal(stripe.paymentIntents.update(intent.id, { amount: 500 }))).toMatchObject({
		code: "payment_intent_unexpected_state",
	});
});

test("a confirmation's receipt email and shipping are stored on the intent and the charge", async () => {
	const { id } = await create();
	const paid = await stripe.paymentIntents.confirm(id, {
		payment_method: "pm_card_visa",
		receipt_email: "ada@example.com",
		shipping: { name: "Ada", address: { line1: "1 Main Street" } },
	});
	const said = { receipt_email: "ada@example.com", shipping: { name: "Ada" } };
	expect(paid).toMatchObject(said);
	expect(await stripe.charges.retrieve(String(paid.latest_charge))).toMatchObject(said);
});

const expand = ["latest_charge"];

test("retrieve with an expanded latest_charge returns the charge of the latest attempt", async () => {
	const { id } = await create();
	expect(await stripe.paymentIntents.retrieve(id, { expand })).toMatchObject({ latest_charge: null });
	await refusal(stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa_chargeDeclined" }));
	expect(await stripe.paymentIntents.retrieve(id, { expand })).toMatchObject({ latest_charge: { status: "failed" } });
	await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	await stripe.refunds.create({ payment_intent: id, amount: 500 });
	const plain = await stripe.paymentIntents.retrieve(id);
	const charge = await stripe.charges.retrieve(String(plain.latest_charge));
	expect(charge).toMatchObject({ status: "succeeded", amount_refunded: 500 });
	expect(await stripe.paymentIntents.retrieve(id, { expand })).toEqual({ ...plain, latest_charge: charge });
});

test.each([
	["expand[]=customer", "This property cannot be expanded (customer)."],
	["expand[]=latest_charge&expand[]=data.latest_charge", "This property cannot be expanded (data.latest_charge)."],
	["expand[]=", "You passed an empty string for 'expand[0]'."],
	["expand=latest_charge", "Invalid object"],
])("retrieve with %s returns 400", async (query, message) => {
	const { id } = await create();
	const error = await refusal(stripe.rawRequest("GET", `/v1/payment_intents/${id}?${query}`));
	expect(error).toMatchObject({ statusCode: 400, type: "StripeInvalidRequestError", message });
});

test("a browser cannot expand latest_charge", async () => {
	const { id, client_secret } = await create();
	await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	const browser = stripeWith(PUBLISHABLE_KEY);
	const error = await refusal(browser.paymentIntents.retrieve(id, { client_secret: client_secret ?? "", expand }));
	expect(error).toMatchObject({ statusCode: 400, message: "This property cannot be expanded (latest_charge)." });
});
