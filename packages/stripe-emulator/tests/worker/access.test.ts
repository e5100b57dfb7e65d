import Stripe from "stripe";
import { expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import { confirmInBrowser, create, get, host, refusal, stripe, stripeWith } from "../support/emulator.ts";

test("a browser receives only the public fields of an intent", async () => {
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

test("a browser's call without the intent's own client secret returns 400", async () => {
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

test.each<[string, (browser: Stripe, id: string) => Promise<unknown>]>([
	["create an intent", (browser) => browser.paymentIntents.create({ amount: 50, currency: "usd" })],
	["list intents", (browser) => browser.paymentIntents.list()],
	["update an intent", (browser, id) => browser.paymentIntents.update(id, { amount: 50 })],
	["cancel an intent", (browser, id) => browser.paymentIntents.cancel(id)],
	["retrieve a charge", (browser) => browser.charges.retrieve("ch_1")],
	["list charges", (browser) => browser.charges.list()],
	["refund an intent", (browser, id) => browser.refunds.create({ payment_intent: id })],
	["retrieve a refund", (browser) => browser.refunds.retrieve("re_1")],
	["list refunds", (browser) => browser.refunds.list()],
	["retrieve an event", (browser) => browser.events.retrieve("evt_1")],
	["list events", (browser) => browser.events.list()],
])("a publishable key cannot %s", async (_, call) => {
	const { id } = await create();
	expect(await refusal(call(stripeWith(PUBLISHABLE_KEY), id))).toMatchObject({
		statusCode: 401,
		code: "secret_key_required",
	});
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ amount: 1499, status: "requires_payment_method" });
});

test("the SDK with a publishable key and a client secret retrieves the intent's public fields", async () => {
	const { id, client_secret } = await create();
	const seen = await stripeWith(PUBLISHABLE_KEY).paymentIntents.retrieve(id, { client_secret: client_secret ?? "" });
	expect(seen).toMatchObject({ id, amount: 1499 });
	for (const field of ["metadata", "latest_charge", "amount_received"]) expect(seen).not.toHaveProperty(field);
});

test("a request without a key returns 401 for any path", async () => {
	for (const path of ["customers", "payment_intents/pi_unknown", "payment_intents"]) {
		expect((await host.fetch(`/stripe-emulator/v1/${path}`)).status).toBe(401);
	}
});

test("a missing key, an invalid key and a secret key in the query return 401", async () => {
	const { id } = await create();
	const keyless = await get(id, {});
	expect(keyless.status).toBe(401);
	expect(await keyless.json()).toMatchObject({
		error: { message: expect.stringMatching(/^You did not provide an API key/) },
	});
	expect((await get(id, { key: SECRET_KEY })).status).toBe(401);
	const httpClient = Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
		const { pathname } = new URL(input instanceof Request ? input.url : input);
		return host.fetch(`/stripe-emulator${pathname}`, init);
	});
	const stranger = new Stripe("sk_live_notmine_0123456789", { httpClient });
	const error = await refusal(stranger.paymentIntents.retrieve(id));
	expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
	expect(error.message).toBe("Invalid API Key provided: sk_live_********6789");
});

test("every call on an unknown intent returns 404", async () => {
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

test("an unknown URL returns 404", async () => {
	expect(await refusal(stripe.customers.list())).toMatchObject({ statusCode: 404 });
});
