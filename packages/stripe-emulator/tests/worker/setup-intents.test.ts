import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import {
	authenticate,
	challengeOf,
	control,
	eventTypesAbout,
	host,
	paymentMethodOf,
	postFromBrowser,
	refusal,
	state,
	stripe,
	stripeWith,
} from "../support/emulator.ts";

const byCard = { allowed_payment_method_types: ["card"] };

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

interface SetupBody extends Partial<Stripe.SetupIntent> {
	error?: { code?: string; decline_code?: string; setup_intent?: Stripe.SetupIntent };
}

const newCustomer = async () => (await stripe.customers.create()).id;

/** Confirms as the card frame does: with the publishable key, the client secret and a card number. */
function confirmInBrowser({ id, client_secret }: Stripe.SetupIntent, number: string) {
	return postFromBrowser<SetupBody>(`setup_intents/${id}/confirm`, {
		"payment_method_data[type]": "card",
		"payment_method_data[card][number]": number,
		"payment_method_data[card][exp_month]": "12",
		"payment_method_data[card][exp_year]": "2040",
		"payment_method_data[card][cvc]": "123",
		use_stripe_sdk: "true",
		client_secret: client_secret ?? "",
	});
}

test("a new SetupIntent waits for a PaymentMethod", async () => {
	const intent = await stripe.setupIntents.create({ metadata: { user: "1" } });
	expect(intent).toEqual({
		id: expect.stringMatching(/^seti_\w{24}$/),
		object: "setup_intent",
		allowed_payment_method_types: null,
		application: null,
		automatic_payment_methods: { allow_redirects: "always", enabled: true },
		cancellation_reason: null,
		client_secret: expect.stringMatching(new RegExp(`^${intent.id}_secret_\\w{25}$`)),
		created: expect.any(Number),
		customer: null,
		customer_account: null,
		description: null,
		excluded_payment_method_types: null,
		flow_directions: null,
		last_setup_error: null,
		latest_attempt: null,
		livemode: false,
		managed_payments: null,
		mandate: null,
		metadata: { user: "1" },
		next_action: null,
		on_behalf_of: null,
		payment_method: null,
		payment_method_configuration_details: null,
		payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: "automatic" } },
		payment_method_types: ["card"],
		single_use_mandate: null,
		status: "requires_payment_method",
		usage: "off_session",
	});
	expect(await stripe.setupIntents.retrieve(intent.id)).toEqual(intent);
});

test("a card that a browser saves with 3-D Secure is charged off-session later", async () => {
	const customer = await newCustomer();
	const intent = await stripe.setupIntents.create({ customer, allowed_payment_method_types: ["card"] });
	const { status, body } = await confirmInBrowser(intent, "4000002500003155");
	expect([status, body.status, body.next_action?.type]).toEqual([200, "requires_action", "use_stripe_sdk"]);
	const { client_secret } = intent;
	const query = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret: client_secret ?? "" });
	const challenge = await host.fetch(`/stripe-emulator/v1/three_d_secure/${challengeOf(body)}?${query}`);
	expect(await challenge.json()).toEqual({
		id: challengeOf(body),
		object: "three_d_secure",
		...{ amount: null, brand: "visa", currency: null, last4: "3155", redirect_url: null, return_url: null },
		status: "pending",
	});
	expect(await authenticate(intent, "complete")).toMatchObject({ status: 200, body: { status: "completed" } });
	const saved = await stripe.setupIntents.retrieve(intent.id, {
		expand: ["customer", "payment_method", "latest_attempt.setup_intent"],
	});
	expect(saved).toMatchObject({
		...{ status: "succeeded", next_action: null, last_setup_error: null },
		...{ customer: { id: customer }, payment_method: { customer, card: { last4: "3155" } } },
		latest_attempt: { status: "succeeded", setup_intent: { id: intent.id } },
	});
	const [method] = (await stripe.customers.listPaymentMethods(customer)).data;
	expect(await eventTypesAbout(intent.id, method?.id)).toEqual([
		...["setup_intent.created", "setup_intent.requires_action", "payment_method.attached", "setup_intent.succeeded"],
	]);
	const payment = await stripe.paymentIntents.create({
		...{ amount: 1499, currency: "usd", confirm: true, off_session: true, allowed_payment_method_types: ["card"] },
		...{ customer, payment_method: method?.id ?? "" },
	});
	expect(payment).toMatchObject({ status: "succeeded", customer });
});

test("a SetupIntent for on-session payments does not set the card up for off-session payments", async () => {
	const customer = await newCustomer();
	const intent = await stripe.setupIntents.create({ customer, usage: "on_session" });
	await confirmInBrowser(intent, "4000002500003155");
	await authenticate(intent, "complete");
	const { payment_method } = await stripe.setupIntents.retrieve(intent.id);
	const params = {
		amount: 1499,
		currency: "usd",
		confirm: true,
		off_session: true,
		allowed_payment_method_types: ["card"],
	};
	const payment = stripe.paymentIntents.create({ ...params, customer, payment_method: String(payment_method) });
	expect(await refusal(payment)).toMatchObject({ statusCode: 402, code: "authentication_required" });
});

test.each(["fail", "abandon"] as const)(
	"an authentication that ends with %s leaves the card unsaved",
	async (outcome) => {
		const customer = await newCustomer();
		const intent = await stripe.setupIntents.create({ customer });
		await confirmInBrowser(intent, "4000002760003184");
		const challenge = challengeOf(await stripe.setupIntents.retrieve(intent.id));
		await authenticate(intent, outcome);
		expect(await stripe.setupIntents.retrieve(intent.id, { expand: ["latest_attempt"] })).toMatchObject({
			...{ status: "requires_payment_method", payment_method: null, next_action: null },
			last_setup_error: {
				code: "setup_intent_authentication_failure",
				payment_method: { card: { last4: "3184" } },
			},
			latest_attempt: { status: "failed", setup_error: { code: "setup_intent_authentication_failure" } },
		});
		expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
		expect((await eventTypesAbout(intent.id)).at(-1)).toBe("setup_intent.setup_failed");
		const { client_secret } = intent;
		const again = await postFromBrowser(`three_d_secure/${challenge}`, {
			outcome: "complete",
			client_secret: client_secret ?? "",
		});
		expect(again).toMatchObject({ status: 400, body: { error: { code: "setup_intent_unexpected_state" } } });
		expect((await confirmInBrowser(intent, "4242424242424242")).body).toMatchObject({ status: "succeeded" });
		const { data } = await stripe.setupAttempts.list({ setup_intent: intent.id });
		expect(data.map(({ status }) => status)).toEqual(["succeeded", "failed"]);
		expect(data[0]).toMatchObject({
			...{ id: expect.stringMatching(/^setatt_\w{24}$/), object: "setup_attempt", customer, usage: "off_session" },
			payment_method_details: { type: "card", card: { brand: "visa", last4: "4242" } },
		});
	},
);

test.each([
	["4000000000000002", "card_declined", "generic_decline"],
	["4000000000009995", "card_declined", "insufficient_funds"],
	["4000000000000069", "expired_card", "expired_card"],
])("card %s is declined with %s, %s", async (number, code, decline_code) => {
	const customer = await newCustomer();
	const intent = await stripe.setupIntents.create({ customer });
	const { status, body } = await confirmInBrowser(intent, number);
	const failed = { status: "requires_payment_method", payment_method: null, last_setup_error: { code, decline_code } };
	expect([status, body.error]).toMatchObject([
		402,
		{ code, decline_code, payment_method: { card: { last4: number.slice(-4) } }, setup_intent: failed },
	]);
	expect(body.error?.setup_intent).not.toHaveProperty("metadata");
	expect(await stripe.setupIntents.retrieve(intent.id)).toMatchObject(failed);
	expect(await eventTypesAbout(intent.id)).toEqual(["setup_intent.created", "setup_intent.setup_failed"]);
	expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
});

test("a server sets up a card at once, and the decline of another carries the SetupIntent", async () => {
	const customer = await newCustomer();
	const set = (payment_method: string) =>
		stripe.setupIntents.create({ customer, payment_method, confirm: true, return_url: "https://example.com/" });
	const saved = await set("pm_card_chargeCustomerFail");
	expect(saved).toMatchObject({ status: "succeeded", payment_method: expect.stringMatching(/^pm_\w{24}$/) });
	expect(await stripe.paymentMethods.retrieve(String(saved.payment_method))).toMatchObject({ customer });
	const error = await refusal(set("pm_card_visa_chargeDeclined"));
	expect(error).toMatchObject({
		statusCode: 402,
		code: "card_declined",
		setup_intent: { customer, object: "setup_intent" },
	});
});

test("a server's SetupIntent with a return_url is authenticated on the bank's page, which then redirects", async () => {
	const return_url = "https://shop.example/saved?user=1";
	const payment_method = "pm_card_authenticationRequired";
	const intent = await stripe.setupIntents.create({ confirm: true, payment_method, return_url });
	const { pathname, search } = new URL(intent.next_action?.redirect_to_url?.url ?? "");
	const page = await host.fetch(pathname + search);
	const text = await page.text();
	expect([page.status, text.includes("Amount"), text.includes("Save this card")]).toEqual([200, false, true]);
	const body = new URLSearchParams({ outcome: "complete" });
	const chosen = await host.fetch(pathname + search, { method: "POST", body });
	const query = new URLSearchParams({
		...{ user: "1", setup_intent: intent.id, setup_intent_client_secret: intent.client_secret ?? "" },
		redirect_status: "succeeded",
	});
	expect([chosen.status, chosen.headers.get("Location")]).toEqual([303, `https://shop.example/saved?${query}`]);
	expect(await stripe.setupIntents.retrieve(intent.id)).toMatchObject({ status: "succeeded", next_action: null });
});

test("a browser receives only the public fields of a SetupIntent, and needs its client secret", async () => {
	const intent = await stripe.setupIntents.create({ metadata: { owner: "ada" } });
	const other = await stripe.setupIntents.create();
	const browser = stripeWith(PUBLISHABLE_KEY);
	const seen = await browser.setupIntents.retrieve(intent.id, { client_secret: intent.client_secret ?? "" });
	expect(Object.keys(seen).sort()).toEqual([
		...["cancellation_reason", "client_secret", "created", "description", "id", "last_setup_error", "livemode"],
		...["next_action", "object", "payment_method", "payment_method_types", "status", "usage"],
	]);
	for (const client_secret of [other.client_secret ?? "", ""]) {
		const error = await refusal(browser.setupIntents.retrieve(intent.id, { client_secret }));
		expect(error).toMatchObject({ statusCode: 400, param: "client_secret" });
	}
	const stolen = await confirmInBrowser({ ...intent, client_secret: other.client_secret }, "4242424242424242");
	expect(stolen.status).toBe(400);
	const refused = [browser.setupIntents.create(), browser.setupIntents.list(), browser.setupIntents.cancel(intent.id)];
	for (const error of await Promise.all(refused.map(refusal))) {
		expect(error).toMatchObject({ code: "secret_key_required" });
	}
	expect(await stripe.setupIntents.retrieve(intent.id)).toEqual(intent);
});

test("a SetupIntent is updated, listed and canceled", async () => {
	const customer = await newCustomer();
	const { id } = await stripe.setupIntents.create({ description: "first", metadata: { a: "1" } });
	const payment_method = await paymentMethodOf("4242424242424242");
	const ready = await stripe.setupIntents.update(id, {
		customer,
		description: "",
		metadata: { b: "2" },
		payment_method,
	});
	expect(ready).toMatchObject({
		...{ customer, description: null, metadata: { a: "1", b: "2" }, payment_method, status: "requires_confirmation" },
	});
	for (const filter of [{ customer }, { payment_method }]) {
		const { data, url } = await stripe.setupIntents.list(filter);
		expect([data, url]).toEqual([[ready], "/v1/setup_intents"]);
	}
	const canceled = await stripe.setupIntents.cancel(id, { cancellation_reason: "duplicate" });
	expect(canceled).toEqual({ ...ready, status: "canceled", cancellation_reason: "duplicate" });
	expect(await eventTypesAbout(id)).toEqual(["setup_intent.created", "setup_intent.canceled"]);
	const code = "setup_intent_unexpected_state";
	const calls = [
		stripe.setupIntents.confirm(id),
		stripe.setupIntents.cancel(id),
		stripe.setupIntents.update(id, { payment_method: "pm_card_visa" }),
	];
	for (const error of await Promise.all(calls.map(refusal))) {
		expect(error).toMatchObject({ statusCode: 400, code, setup_intent: { id, status: "canceled" } });
	}
	expect(await stripe.setupIntents.update(id, { description: "last" })).toMatchObject({ description: "last" });
});

test("a canceled SetupIntent abandons its attempt, and its authentication is over", async () => {
	const intent = await stripe.setupIntents.create();
	const { body } = await confirmInBrowser(intent, "4000000000003220");
	await stripe.setupIntents.cancel(intent.id);
	const { client_secret } = intent;
	const late = { outcome: "complete", client_secret: client_secret ?? "" };
	expect(await postFromBrowser(`three_d_secure/${challengeOf(body)}`, late)).toMatchObject({ status: 400 });
	expect((await stripe.setupAttempts.list({ setup_intent: intent.id })).data).toMatchObject([{ status: "abandoned" }]);
});

test("a PaymentMethod is set up once without a customer, and used again after it is attached", async () => {
	const payment_method = await paymentMethodOf("4242424242424242");
	const set = (params: Stripe.SetupIntentCreateParams) =>
		stripe.setupIntents.create({ ...byCard, confirm: true, ...params });
	expect(await set({ payment_method })).toMatchObject({ status: "succeeded", customer: null });
	expect(await refusal(set({ payment_method }))).toMatchObject({
		statusCode: 400,
		message: expect.stringContaining("may not be used again"),
	});
	const [customer, other] = [await newCustomer(), await newCustomer()];
	await stripe.paymentMethods.attach(payment_method, { customer });
	expect(await set({ payment_method, customer })).toMatchObject({ status: "succeeded" });
	expect(await refusal(set({ payment_method }))).toMatchObject({ param: "payment_method" });
	expect(await refusal(set({ payment_method, customer: other }))).toMatchObject({ param: "payment_method" });
	const open = await stripe.setupIntents.create(byCard);
	expect(await refusal(stripe.setupIntents.confirm(open.id, { payment_method }))).toMatchObject({
		setup_intent: { id: open.id },
	});
});

test.each<[string, object, object]>([
	["confirm without a PaymentMethod", { confirm: true, ...byCard }, { code: "setup_intent_unexpected_state" }],
	["confirm without a return URL", { confirm: true, payment_method: "pm_card_visa" }, { param: "return_url" }],
	["a return URL without confirm", { return_url: "https://example.com/" }, { param: "return_url" }],
	["an unknown usage", { usage: "never" }, { param: "usage" }],
	["another type", { allowed_payment_method_types: ["link"] }, { param: "allowed_payment_method_types" }],
	["payment_method_types", { payment_method_types: ["card"] }, { code: "payment_method_types_no_longer_supported" }],
	[
		"a card number from a server",
		{ payment_method_data: { type: "card", card: { number: "4242424242424242", exp_month: 1, exp_year: 40 } } },
		{ param: "payment_method_data[card][number]" },
	],
	["an unknown parameter", { amount: 5 }, { code: "parameter_unknown", param: "amount" }],
])("a SetupIntent with %s returns 400", async (_, params, error) => {
	expect(await refusal(stripe.rawRequest("POST", "/v1/setup_intents", params))).toMatchObject({
		statusCode: 400,
		...error,
	});
});

test("every call on an unknown SetupIntent or customer returns 404", async () => {
	const missing = { statusCode: 404, code: "resource_missing", message: "No such setupintent: 'seti_none'" };
	const { retrieve, update, confirm, cancel } = {
		retrieve: stripe.setupIntents.retrieve("seti_none"),
		update: stripe.setupIntents.update("seti_none", { description: "x" }),
		confirm: stripe.setupIntents.confirm("seti_none"),
		cancel: stripe.setupIntents.cancel("seti_none"),
	};
	for (const error of await Promise.all([retrieve, update, confirm, cancel].map(refusal))) {
		expect(error).toMatchObject({ ...missing, param: "intent" });
	}
	expect(await refusal(stripe.setupIntents.create({ customer: "cus_none" }))).toMatchObject({ statusCode: 404 });
	expect(await refusal(stripe.rawRequest("GET", "/v1/setup_attempts"))).toMatchObject({ param: "setup_intent" });
});

test("no card number is stored", async () => {
	// idempotency keys are UUIDs, which can contain twelve digits
	const journal = JSON.stringify(await state()).replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g, "");
	expect(journal).toContain("setup_intents.confirm");
	expect(journal).not.toMatch(/\d{12}/);
});
