import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { confirmInBrowser, control, create, refusal, stripe, stripeWith } from "../support/emulator.ts";

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

test.each([50, 99_999_999])("an intent for %i cents has automatic payment methods by default", async (amount) => {
	const intent = await stripe.paymentIntents.create({ amount, currency: "USD" });
	const automatic_payment_methods = { enabled: true, allow_redirects: "always" };
	expect(intent).toMatchObject({ amount, currency: "usd", automatic_payment_methods });
	expect(intent.allowed_payment_method_types).toBeNull();
});

test("an update merges metadata, and an empty value unsets a key", async () => {
	const { id } = await stripe.paymentIntents.create({
		...{ amount: 1499, currency: "usd", description: "Six things", receipt_email: "ada@example.com" },
		metadata: { shop: "half-dozen", owner: "guest" },
	});
	const changed = await stripe.paymentIntents.update(id, { amount: 2000, metadata: { owner: "", items: "6" } });
	const kept = { amount: 2000, description: "Six things" };
	expect(changed).toMatchObject({ ...kept, receipt_email: "ada@example.com" });
	expect(changed.metadata).toEqual({ shop: "half-dozen", items: "6" });
	const emptied = await stripe.paymentIntents.update(id, { metadata: "", receipt_email: "" });
	expect(emptied).toMatchObject({ ...kept, metadata: {}, receipt_email: null });
	expect(emptied.metadata).toEqual({});
});

test("an intent's metadata is limited to 50 keys in total across updates", async () => {
	const keys = (from: number, to: number) =>
		Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`key_${from + index}`, "x"]));
	const { id } = await stripe.paymentIntents.create({ amount: 500, currency: "usd", metadata: keys(0, 50) });
	const error = await refusal(stripe.paymentIntents.update(id, { metadata: keys(50, 51) }));
	expect(error).toMatchObject({ statusCode: 400, param: "metadata", message: "Metadata can have up to 50 keys." });
	const replaced = await stripe.paymentIntents.update(id, { metadata: { key_0: "", key_50: "x" } });
	expect(replaced.metadata).toEqual(keys(1, 51));
});

test("attaching a payment method moves the intent to requires_confirmation", async () => {
	const params = { amount: 500, currency: "usd", payment_method: "pm_card_mastercard" };
	const intent = await stripe.paymentIntents.create(params);
	const payment_method = expect.stringMatching(/^pm_\w{24}$/);
	expect(intent).toMatchObject({ status: "requires_confirmation", payment_method });
	const paid = { status: "succeeded", payment_method: intent.payment_method };
	expect(await stripe.paymentIntents.confirm(intent.id)).toMatchObject(paid);
	expect(await stripe.paymentIntents.update(intent.id, { metadata: { late: "yes" } })).toMatchObject(paid);
	const given = await stripe.paymentIntents.update((await create()).id, { payment_method: "pm_card_visa" });
	expect(given.status).toBe("requires_confirmation");
});

test("a canceled intent has a cancellation time and reason, and can be neither canceled again nor paid", async () => {
	const { id } = await create();
	const cancel = (cancellation_reason: string) =>
		stripe.rawRequest("POST", `/v1/payment_intents/${id}/cancel`, { cancellation_reason });
	expect(await refusal(cancel("bored"))).toMatchObject({ param: "cancellation_reason" });
	const reason = { cancellation_reason: "abandoned" };
	expect(await cancel("abandoned")).toMatchObject({ ...reason, status: "canceled", canceled_at: expect.any(Number) });
	for (const call of [cancel("abandoned"), stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" })]) {
		const refused = { code: "payment_intent_unexpected_state", payment_intent: { status: "canceled" } };
		expect(await refusal(call)).toMatchObject(refused);
	}
});

test("exactly one of many concurrent confirmations succeeds", async () => {
	const intent = await create();
	const confirmations = Array.from({ length: 10 }, () => confirmInBrowser(intent, { number: "4242424242424242" }));
	const responses = await Promise.all(confirmations);
	expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
	expect(responses.filter(({ body }) => body.error?.payment_intent?.status === "succeeded")).toHaveLength(9);
});

test("intents are listed newest first and paginated in both directions", async () => {
	const made: string[] = [];
	for (let count = 0; count < 12; count++) made.unshift((await create()).id);
	const [fifth, fourth, third = "", second = "", first] = made;
	const page = async (params: Stripe.PaymentIntentListParams) => {
		const { data, has_more } = await stripe.paymentIntents.list(params);
		return [data.map(({ id }) => id), has_more];
	};
	expect(await page({})).toEqual([made.slice(0, 10), true]);
	expect(await page({ limit: 3 })).toEqual([[fifth, fourth, third], true]);
	expect(await page({ limit: 1, starting_after: third })).toEqual([[second], true]);
	expect(await page({ limit: 2, ending_before: second })).toEqual([[fourth, third], true]);
	expect(await page({ limit: 3, ending_before: second })).toEqual([[fifth, fourth, third], false]);
	expect(await page({ ending_before: fifth ?? "" })).toEqual([[], false]);
	const all = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 5 });
	expect(all.map(({ id }) => id)).toEqual([fifth, fourth, third, second, first]);
});

test.each([
	["limit=0", "limit"],
	["limit=101", "limit"],
	["starting_after=pi_unknown", "starting_after"],
	["ending_before=pi_unknown", "ending_before"],
	["starting_after=pi_1&ending_before=pi_2", undefined],
	["created=yesterday", "created"],
	["created[before]=5", "created[before]"],
	["customer=cus_1", "customer"],
])("listing intents with %s returns an error that names the parameter", async (query, param) => {
	const error = await refusal(stripe.rawRequest("GET", `/v1/payment_intents?${query}`));
	expect(error.statusCode).toBe(query.endsWith("_unknown") ? 404 : 400);
	expect(error.param).toBe(param);
});

test("create with confirm=true pays, or leaves a declined intent that can still be paid", async () => {
	const params = { amount: 1499, currency: "usd", confirm: true };
	const paid = await stripe.paymentIntents.create({ ...params, payment_method: "pm_card_visa" });
	expect(paid).toMatchObject({ status: "succeeded", amount_received: 1499 });
	const payment_method = "pm_card_visa_chargeDeclined";
	const declined = await refusal(stripe.paymentIntents.create({ ...params, payment_method }));
	expect(declined).toMatchObject({ statusCode: 402, payment_intent: { status: "requires_payment_method" } });
	const id = declined.payment_intent?.id ?? "";
	const message = expect.stringContaining("missing a payment method");
	for (const call of [stripe.paymentIntents.confirm(id), stripe.paymentIntents.create(params)]) {
		expect(await refusal(call)).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state", message });
	}
	const confirmed = await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });
	expect(confirmed).toMatchObject({ status: "succeeded", last_payment_error: null });
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

test("expand replaces ids with their objects", async () => {
	const expand = ["latest_charge", "payment_method"];
	const { id } = await create();
	const expanded = () => stripe.paymentIntents.retrieve(id, { expand });
	expect(await expanded()).toMatchObject({ latest_charge: null, payment_method: null });
	const receipt_email = "ada@example.com";
	const confirmed = await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa", receipt_email, expand });
	const { payment_method } = confirmed;
	expect(payment_method).toMatchObject({ object: "payment_method", card: { last4: "4242" } });
	const params = { payment_intent: id, amount: 500, expand: ["charge", "payment_intent"] };
	const { charge, payment_intent } = await stripe.refunds.create(params);
	expect(charge).toMatchObject({ status: "succeeded", amount_refunded: 500, receipt_email });
	const intent = await stripe.paymentIntents.retrieve(id);
	expect(payment_intent).toEqual(intent);
	const full = { ...intent, latest_charge: charge, payment_method };
	expect(await expanded()).toEqual(full);
	const inList = expand.map((property) => `data.${property}`);
	expect((await stripe.paymentIntents.list({ limit: 1, expand: inList })).data).toEqual([full]);
	const charges = await stripe.charges.list({ limit: 1, expand: ["data.payment_intent"] });
	expect(charges.data).toMatchObject([{ payment_intent: intent }]);
});

const own = "latest_charge, payment_method";
test.each([
	["payment_intents/ID?expand[]=customer", unexpandable("customer", own)],
	["payment_intents/ID?expand[]=latest_charge&expand[]=data", unexpandable("data", own)],
	["payment_intents?expand[]=id", unexpandable("id", "data.latest_charge, data.payment_method")],
	["events?expand[]=data.data", unexpandable("data.data", "no property of this endpoint")],
])("GET /v1/%s returns 400", async (path, message) => {
	const { id } = await create();
	const error = await refusal(stripe.rawRequest("GET", `/v1/${path.replace("ID", id)}`));
	expect(error).toMatchObject({ statusCode: 400, type: "StripeInvalidRequestError", message });
});

test("a browser cannot expand properties", async () => {
	const { id, client_secret } = await create();
	const params = { client_secret: client_secret ?? "", expand: ["latest_charge"] };
	const error = await refusal(stripeWith(PUBLISHABLE_KEY).paymentIntents.retrieve(id, params));
	const message = unexpandable("latest_charge", "no property of this endpoint");
	expect(error).toMatchObject({ statusCode: 400, message });
});

function unexpandable(property: string, others: string): string {
	return `This property cannot be expanded (${property}). The Stripe emulator expands ${others}.`;
}
