import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	authenticate,
	confirmInBrowser,
	control,
	eventTypesAbout,
	paymentMethodOf,
	postFromBrowser,
	refusal,
	stripe,
} from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

const purchase = { amount: 1499, currency: "usd", allowed_payment_method_types: ["card"] };

const pay = (params: Partial<Stripe.PaymentIntentCreateParams>) =>
	stripe.paymentIntents.create({ ...purchase, confirm: true, ...params });

const newCustomer = async () => (await stripe.customers.create()).id;

test("a card that is saved during a payment is charged off-session later", async () => {
	const customer = await newCustomer();
	const first = await stripe.paymentIntents.create({ ...purchase, customer, setup_future_usage: "off_session" });
	expect(first).toMatchObject({ customer, setup_future_usage: "off_session" });
	const confirmed = await confirmInBrowser(first, { number: "4000002500003155" });
	expect(confirmed.body.status).toBe("requires_action");
	const [nothing] = (await stripe.customers.listPaymentMethods(customer)).data;
	expect(nothing).toBeUndefined();
	await authenticate(first, "complete");
	const paid = await stripe.paymentIntents.retrieve(first.id, { expand: ["customer", "latest_charge.customer"] });
	expect(paid).toMatchObject({
		status: "succeeded",
		customer: { id: customer, object: "customer" },
		latest_charge: { customer: { id: customer } },
	});
	const [saved] = (await stripe.customers.listPaymentMethods(customer)).data;
	expect(saved).toMatchObject({ id: paid.payment_method, customer, card: { last4: "3155" } });
	expect(await eventTypesAbout(first.id, saved?.id)).toEqual([
		...["payment_intent.created", "payment_intent.requires_action"],
		...["payment_method.attached", "payment_intent.succeeded"],
	]);
	for (let month = 0; month < 2; month++) {
		const payment = await pay({ customer, payment_method: saved?.id ?? "", off_session: true });
		expect(payment).toMatchObject({ status: "succeeded", customer, payment_method: saved?.id });
	}
	// on-session payments with this card always require authentication
	expect(await pay({ customer, payment_method: saved?.id ?? "" })).toMatchObject({ status: "requires_action" });
	const { data } = await stripe.paymentIntents.list({ customer });
	expect(data.map(({ status }) => status)).toEqual(["requires_action", "succeeded", "succeeded", "succeeded"]);
	expect((await stripe.charges.list({ customer })).data).toHaveLength(3);
});

test.each([
	["pm_card_visa", "succeeded"],
	["pm_card_authenticationRequiredSetupForOffSession", "succeeded"],
	["pm_card_authenticationRequired", "authentication_required"],
	["pm_card_authenticationRequiredOnSetup", "authentication_required"],
	["pm_card_chargeCustomerFail", "card_declined"],
])("an off-session payment with %s that was only attached: %s", async (card, result) => {
	const customer = await newCustomer();
	const { id } = await stripe.paymentMethods.attach(card, { customer });
	const payment = pay({ customer, payment_method: id, off_session: true });
	if (result === "succeeded") {
		expect(await payment).toMatchObject({ status: "succeeded" });
		return;
	}
	expect(await refusal(payment)).toMatchObject({
		statusCode: 402,
		code: result,
		payment_intent: { status: "requires_payment_method", customer, last_payment_error: { payment_method: { id } } },
	});
	// the card is still saved, so that the shopper can authenticate a new payment with it
	expect(await stripe.paymentMethods.retrieve(id)).toMatchObject({ customer });
});

test.each([
	["pm_card_authenticationRequired", "authentication_required"],
	["pm_card_authenticationRequiredChargeDeclinedInsufficientFunds", "insufficient_funds"],
])("%s is declined off-session with %s after it was set up", async (card, decline_code) => {
	const customer = await newCustomer();
	const setup = await stripe.setupIntents.create({ customer, allowed_payment_method_types: ["card"] });
	const { next_action } = await stripe.setupIntents.confirm(setup.id, { payment_method: card });
	const client_secret = setup.client_secret ?? "";
	await postFromBrowser(`three_d_secure/${next_action?.use_stripe_sdk?.["source"]}`, {
		outcome: "complete",
		client_secret,
	});
	const { payment_method } = await stripe.setupIntents.retrieve(setup.id);
	const later = pay({ customer, payment_method: String(payment_method), off_session: true });
	expect(await refusal(later)).toMatchObject({ statusCode: 402, decline_code });
});

test("a PaymentMethod without a customer pays once", async () => {
	const id = await paymentMethodOf("4242424242424242");
	expect(await pay({ payment_method: id })).toMatchObject({ status: "succeeded", payment_method: id });
	const used = { statusCode: 400, message: expect.stringContaining("may not be used again") };
	const customer = await newCustomer();
	const open = await stripe.paymentIntents.create(purchase);
	const calls = [
		pay({ payment_method: id }),
		stripe.paymentIntents.create({ ...purchase, payment_method: id }),
		stripe.paymentIntents.update(open.id, { payment_method: id }),
		stripe.paymentMethods.attach(id, { customer }),
		stripe.customers.create({ payment_method: id }),
	];
	for (const error of await Promise.all(calls.map(refusal))) expect(error).toMatchObject(used);
	expect(await refusal(stripe.paymentIntents.confirm(open.id, { payment_method: id }))).toMatchObject({
		...used,
		payment_intent: { id: open.id, status: "requires_payment_method" },
	});
	expect(await stripe.paymentIntents.confirm(open.id, { payment_method: "pm_card_visa" })).toMatchObject({
		status: "succeeded",
	});
});

test("a declined payment also uses up its PaymentMethod, and the intent is paid with another", async () => {
	const id = await paymentMethodOf("4000000000000002");
	const intent = await stripe.paymentIntents.create(purchase);
	const confirm = (payment_method: string) => stripe.paymentIntents.confirm(intent.id, { payment_method });
	expect(await refusal(confirm(id))).toMatchObject({ statusCode: 402 });
	expect(await refusal(confirm(id))).toMatchObject({ statusCode: 400 });
	expect(await confirm(await paymentMethodOf("4242424242424242"))).toMatchObject({ status: "succeeded" });
});

test("an intent that requires authentication is confirmed again with the same PaymentMethod", async () => {
	const payment_method = await paymentMethodOf("4000002760003184");
	const intent = await pay({ payment_method });
	expect(await stripe.paymentIntents.confirm(intent.id, { payment_method })).toMatchObject({
		status: "requires_action",
	});
	expect(await refusal(pay({ payment_method }))).toMatchObject({ statusCode: 400 });
	await authenticate(intent, "complete");
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: "succeeded", payment_method });
});

test("a PaymentMethod set up without a customer is used again after it is attached", async () => {
	const payment_method = await paymentMethodOf("4242424242424242");
	await pay({ payment_method, setup_future_usage: "on_session" });
	expect(await refusal(pay({ payment_method }))).toMatchObject({ statusCode: 400 });
	const customer = await newCustomer();
	await stripe.paymentMethods.attach(payment_method, { customer });
	expect(await pay({ payment_method, customer })).toMatchObject({ status: "succeeded" });
	await stripe.paymentMethods.detach(payment_method);
	expect(await refusal(pay({ payment_method, customer }))).toMatchObject({
		statusCode: 400,
		message: expect.stringContaining("was detached from a Customer"),
	});
});

test("a payment without setup_future_usage does not save the card", async () => {
	const customer = await newCustomer();
	const { payment_method } = await pay({ customer, payment_method: "pm_card_visa" });
	expect(await stripe.paymentMethods.retrieve(String(payment_method))).toMatchObject({ customer: null });
	expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
});

test("a customer's card pays only for that customer", async () => {
	const [customer, other] = [await newCustomer(), await newCustomer()];
	const { id: payment_method } = await stripe.paymentMethods.attach("pm_card_visa", { customer });
	expect(await refusal(pay({ payment_method }))).toMatchObject({
		statusCode: 400,
		code: "parameter_missing",
		message: expect.stringContaining(`belongs to the Customer ${customer}`),
	});
	expect(await refusal(pay({ payment_method, customer: other }))).toMatchObject({
		statusCode: 400,
		param: "payment_method",
		message: expect.stringContaining(`does not belong to the Customer you supplied ${other}`),
	});
	const intent = await stripe.paymentIntents.create(purchase);
	expect(await refusal(stripe.paymentIntents.update(intent.id, { payment_method }))).toMatchObject({
		payment_intent: { id: intent.id },
	});
	expect(await stripe.paymentIntents.update(intent.id, { customer, payment_method })).toMatchObject({ customer });
	expect(await refusal(stripe.paymentIntents.update(intent.id, { customer: other }))).toMatchObject({
		statusCode: 400,
	});
	expect(await stripe.paymentIntents.confirm(intent.id)).toMatchObject({ status: "succeeded", customer });
});

test.each<[string, Partial<Stripe.PaymentIntentCreateParams>, object]>([
	["an unknown customer", { customer: "cus_none" }, { statusCode: 404, param: "customer" }],
	["an unknown future use", { setup_future_usage: "sometimes" }, { statusCode: 400, param: "setup_future_usage" }],
])("a payment with %s is refused", async (_, params, error) => {
	expect(await refusal(stripe.paymentIntents.create({ ...purchase, ...params }))).toMatchObject(error);
});

test("setup_future_usage is changed until the intent is confirmed, also by a browser", async () => {
	const customer = await newCustomer();
	const intent = await stripe.paymentIntents.create({ ...purchase, customer, setup_future_usage: "on_session" });
	expect(await stripe.paymentIntents.update(intent.id, { setup_future_usage: "" })).toMatchObject({
		setup_future_usage: null,
	});
	const saved = await stripe.paymentIntents.confirm(intent.id, {
		payment_method: "pm_card_visa",
		setup_future_usage: "off_session",
	});
	expect(saved).toMatchObject({ status: "succeeded", setup_future_usage: "off_session" });
	expect((await stripe.customers.listPaymentMethods(customer)).data).toMatchObject([{ id: saved.payment_method }]);
});
