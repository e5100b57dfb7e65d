import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { control, eventsAbout, paymentMethodOf, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

/** Creates a customer with a saved card. */
async function withCard(card = "pm_card_visa") {
	const { id } = await stripe.customers.create({ payment_method: card });
	const [method] = (await stripe.customers.listPaymentMethods(id)).data;
	if (!method) throw new Error(`No card was attached: ${card}`);
	return { id, method: method.id };
}

/** Returns an object's events, oldest first: their types and the previous attributes. */
async function eventsOf(id: string) {
	return (await eventsAbout(id)).map(({ type, data }) => [
		type,
		"previous_attributes" in data ? data.previous_attributes : undefined,
	]);
}

test("a new customer has no details", async () => {
	const customer = await stripe.customers.create();
	expect(customer).toEqual({
		id: expect.stringMatching(/^cus_\w{14}$/),
		object: "customer",
		address: null,
		balance: 0,
		created: expect.any(Number),
		currency: null,
		default_source: null,
		delinquent: false,
		description: null,
		discount: null,
		email: null,
		invoice_prefix: expect.stringMatching(/^[0-9A-Z]{8}$/),
		invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
		livemode: false,
		metadata: {},
		name: null,
		next_invoice_sequence: 1,
		phone: null,
		preferred_locales: [],
		shipping: null,
		tax_exempt: "none",
		test_clock: null,
	});
	expect(await stripe.customers.retrieve(customer.id)).toEqual(customer);
});

test("a customer's details are updated one by one, and an empty value clears a detail", async () => {
	const address = { line1: "1 Market St", city: "San Francisco", country: "US" };
	const { id } = await stripe.customers.create({
		...{ email: "ada@example.com", name: "Ada", phone: "555", description: "first", metadata: { a: "1", b: "2" } },
		...{ address, preferred_locales: ["en", "fr"], tax_exempt: "exempt" },
		shipping: { name: "Ada", address },
	});
	const none = { line2: null, postal_code: null, state: null };
	expect(await stripe.customers.retrieve(id)).toMatchObject({
		...{ email: "ada@example.com", name: "Ada", phone: "555", description: "first", metadata: { a: "1", b: "2" } },
		...{ address: { ...address, ...none }, preferred_locales: ["en", "fr"], tax_exempt: "exempt" },
		shipping: { name: "Ada", phone: null, address: { ...address, ...none } },
	});
	const updated = await stripe.customers.update(id, {
		...{ email: "ada@example.org", description: "", metadata: { a: "", c: "3" } },
		...{ address: { line2: "Floor 2" }, shipping: "", tax_exempt: "" },
	});
	expect(updated).toMatchObject({
		...{ email: "ada@example.org", name: "Ada", description: null, metadata: { b: "2", c: "3" } },
		...{ address: { ...address, ...none, line2: "Floor 2" }, shipping: null, tax_exempt: "none" },
	});
	const [created, change] = await eventsOf(id);
	expect(created).toEqual(["customer.created", undefined]);
	expect(change).toEqual([
		"customer.updated",
		{
			...{ address: { line2: null }, description: "first", email: "ada@example.com", tax_exempt: "exempt" },
			...{ metadata: { a: "1", c: null }, shipping: expect.objectContaining({ name: "Ada" }) },
		},
	]);
	expect(await stripe.customers.update(id, { address: "", metadata: "" })).toMatchObject({
		address: null,
		metadata: {},
	});
});

test.each<[string, Stripe.CustomerCreateParams | object, object]>([
	["a source", { source: "tok_visa" }, { param: "source", message: expect.stringContaining("payment_method") }],
	["an invalid email", { email: "ada" }, { param: "email", code: "email_invalid" }],
	["an unknown tax status", { tax_exempt: "maybe" }, { param: "tax_exempt" }],
	["shipping without an address", { shipping: { name: "Ada" } }, { param: "shipping[address]" }],
	["an unknown address field", { address: { street: "x" } }, { param: "address[street]", code: "parameter_unknown" }],
	["an unknown parameter", { plan: "gold" }, { param: "plan", code: "parameter_unknown" }],
	[
		"another's default PaymentMethod",
		{ invoice_settings: { default_payment_method: "pm_card_visa" } },
		{ param: "invoice_settings[default_payment_method]", code: "resource_missing" },
	],
])("a customer with %s returns 400", async (_, params, error) => {
	expect(await refusal(stripe.rawRequest("POST", "/v1/customers", params))).toMatchObject({
		statusCode: 400,
		...error,
	});
});

test("customers are listed newest first, by email and by creation time, and searched", async () => {
	const email = "grace@example.com";
	const first = await stripe.customers.create({ email });
	await stripe.customers.create({ email: "other@example.com" });
	const second = await stripe.customers.create({ email });
	const { data, url } = await stripe.customers.list({ email });
	expect([data.map(({ id }) => id), url]).toEqual([[second.id, first.id], "/v1/customers"]);
	expect((await stripe.customers.list({ email, created: { gt: second.created } })).data).toEqual([]);
	const found = await stripe.customers.search({ query: `email:"${email}"`, limit: 1 });
	expect(found).toMatchObject({ object: "search_result", data: [{ id: second.id }], has_more: true });
	expect(await refusal(stripe.customers.search({ query: "balance>0" }))).toMatchObject({
		statusCode: 400,
		param: "query",
	});
});

test("a deleted customer keeps its id only, and its card cannot be used again", async () => {
	const { id, method } = await withCard();
	const deleted = { id, object: "customer", deleted: true };
	expect(await stripe.customers.del(id)).toEqual(deleted);
	expect(await stripe.customers.retrieve(id)).toEqual(deleted);
	expect((await stripe.customers.list({ limit: 100 })).data.map((customer) => customer.id)).not.toContain(id);
	expect((await eventsOf(id)).at(-1)).toEqual(["customer.deleted", undefined]);
	const missing = { statusCode: 404, code: "resource_missing", message: `No such customer: '${id}'` };
	const calls = [
		stripe.customers.update(id, { name: "x" }),
		stripe.customers.del(id),
		stripe.customers.listPaymentMethods(id),
		stripe.paymentMethods.attach("pm_card_visa", { customer: id }),
	];
	for (const error of await Promise.all(calls.map(refusal))) expect(error).toMatchObject(missing);
	const other = await stripe.customers.create();
	expect(await refusal(stripe.paymentMethods.attach(method, { customer: other.id }))).toMatchObject({
		statusCode: 400,
		message: expect.stringContaining("may not be used again"),
	});
});

test("a customer is created with a shared card as its default PaymentMethod", async () => {
	const { id, invoice_settings } = await stripe.customers.create({
		payment_method: "pm_card_mastercard",
		invoice_settings: { default_payment_method: "pm_card_mastercard" },
		expand: ["invoice_settings.default_payment_method"],
	});
	const method = invoice_settings.default_payment_method;
	expect(method).toMatchObject({
		id: expect.stringMatching(/^pm_\w{24}$/),
		customer: id,
		card: { brand: "mastercard" },
	});
	const methodId = typeof method === "object" ? method?.id : undefined;
	expect(await stripe.customers.retrievePaymentMethod(id, methodId ?? "", { expand: ["customer"] })).toMatchObject({
		customer: { id, object: "customer" },
	});
	await stripe.paymentMethods.detach(methodId ?? "");
	expect(await stripe.customers.retrieve(id)).toMatchObject({ invoice_settings: { default_payment_method: null } });
});

test("a PaymentMethod is created from a token, attached, updated and detached", async () => {
	const { id: customer } = await stripe.customers.create();
	const created = await stripe.paymentMethods.create({
		...{ type: "card", card: { token: "tok_visa" }, metadata: { a: "1" }, allow_redisplay: "always" },
		billing_details: { name: "Ada", address: { city: "San Francisco" } },
	});
	expect(created).toMatchObject({
		...{ id: expect.stringMatching(/^pm_\w{24}$/), customer: null, metadata: { a: "1" }, allow_redisplay: "always" },
		billing_details: { name: "Ada", email: null, address: { city: "San Francisco", line1: null } },
		card: { brand: "visa", last4: "4242" },
	});
	const { id } = created;
	expect(await refusal(stripe.paymentMethods.update(id, { metadata: { a: "2" } }))).toMatchObject({ statusCode: 400 });
	expect(await stripe.paymentMethods.attach(id, { customer })).toEqual({ ...created, customer });
	expect(await stripe.paymentMethods.attach(id, { customer })).toEqual({ ...created, customer });
	const updated = await stripe.paymentMethods.update(id, {
		...{ metadata: { b: "2" }, allow_redisplay: "limited", card: { exp_month: 3, exp_year: 2045 } },
		billing_details: { name: "", email: "ada@example.com", address: { line1: "1 Market St" } },
	});
	expect(updated).toEqual({
		...created,
		...{ customer, metadata: { a: "1", b: "2" }, allow_redisplay: "limited" },
		card: { ...created.card, exp_month: 3, exp_year: 2045 },
		billing_details: {
			...created.billing_details,
			...{ name: null, email: "ada@example.com" },
			address: { ...created.billing_details.address, line1: "1 Market St" },
		},
	});
	expect(await stripe.paymentMethods.retrieve(id)).toEqual(updated);
	expect(await stripe.paymentMethods.detach(id)).toEqual({ ...updated, customer: null });
	expect(await eventsOf(id)).toEqual([
		["payment_method.attached", undefined],
		[
			"payment_method.updated",
			{
				...{ metadata: { b: null }, allow_redisplay: "always" },
				billing_details: { name: "Ada", email: null, address: { line1: null } },
				card: { exp_month: created.card?.exp_month, exp_year: created.card?.exp_year },
			},
		],
		["payment_method.detached", { customer }],
	]);
	expect(await refusal(stripe.paymentMethods.detach(id))).toMatchObject({ statusCode: 400 });
	expect(await refusal(stripe.paymentMethods.attach(id, { customer }))).toMatchObject({
		statusCode: 400,
		message: expect.stringContaining("may not be used again"),
	});
});

test("a customer's PaymentMethods are listed newest first, by type", async () => {
	const { id: customer, method: first } = await withCard();
	const second = await stripe.paymentMethods.attach("pm_card_amex", { customer });
	const ids = ({ data }: Stripe.ApiList<Stripe.PaymentMethod>) => data.map(({ id }) => id);
	expect(ids(await stripe.paymentMethods.list({ customer, type: "card" }))).toEqual([second.id, first]);
	expect(ids(await stripe.paymentMethods.list({ customer, type: "us_bank_account" }))).toEqual([]);
	const listed = await stripe.customers.listPaymentMethods(customer, { limit: 1 });
	expect([ids(listed), listed.has_more, listed.url]).toEqual([
		[second.id],
		true,
		`/v1/customers/${customer}/payment_methods`,
	]);
	expect(ids(await stripe.customers.listPaymentMethods(customer, { starting_after: second.id }))).toEqual([first]);
	const other = await withCard();
	expect(await refusal(stripe.customers.retrievePaymentMethod(other.id, first))).toMatchObject({ statusCode: 404 });
	expect(await refusal(stripe.paymentMethods.attach(first, { customer: other.id }))).toMatchObject({
		statusCode: 400,
		message: expect.stringContaining("already been attached"),
	});
});

test.each([
	["pm_card_visa_chargeDeclined", { code: "card_declined", decline_code: "generic_decline" }],
	["pm_card_visa_chargeDeclinedInsufficientFunds", { code: "card_declined", decline_code: "insufficient_funds" }],
	["pm_card_chargeDeclinedExpiredCard", { code: "expired_card" }],
])("%s cannot be attached to a customer", async (card, error) => {
	const { id: customer } = await stripe.customers.create();
	const declined = { statusCode: 402, rawType: "card_error", ...error };
	expect(await refusal(stripe.paymentMethods.attach(card, { customer }))).toMatchObject(declined);
	expect(await refusal(stripe.customers.create({ payment_method: card }))).toMatchObject(declined);
	expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
});

test.each(["pm_card_chargeCustomerFail", "pm_card_authenticationRequired"])(
	"%s attaches to a customer",
	async (card) => {
		const { id: customer } = await stripe.customers.create();
		expect(await stripe.paymentMethods.attach(card, { customer })).toMatchObject({ customer });
	},
);

test("a PaymentMethod from the card frame attaches to a customer", async () => {
	const { id: customer } = await stripe.customers.create();
	const id = await paymentMethodOf("5555555555554444");
	expect(await stripe.paymentMethods.attach(id, { customer })).toMatchObject({ id, customer });
});

test.each<[string, () => Promise<unknown>, object]>([
	[
		"creating a PaymentMethod with a customer",
		() => stripe.rawRequest("POST", "/v1/payment_methods", { type: "card", customer: "cus_1" }),
		{ statusCode: 400, param: "customer" },
	],
	[
		"creating a PaymentMethod with a card number",
		() =>
			stripe.paymentMethods.create({ type: "card", card: { number: "4242424242424242", exp_month: 1, exp_year: 40 } }),
		{ statusCode: 400, param: "card[number]" },
	],
	[
		"an unknown token",
		() => stripe.paymentMethods.create({ type: "card", card: { token: "tok_none" } }),
		{ statusCode: 404 },
	],
	["an unknown PaymentMethod", () => stripe.paymentMethods.retrieve("pm_none"), { statusCode: 404 }],
	[
		"attaching to no customer",
		() => stripe.paymentMethods.attach("pm_card_visa", {}),
		{ statusCode: 400, param: "customer" },
	],
	[
		"a past expiry",
		async () => stripe.paymentMethods.update((await withCard()).method, { card: { exp_month: 1, exp_year: 2020 } }),
		{ statusCode: 402, param: "exp_year" },
	],
])("%s is refused", async (_, call, error) => {
	expect(await refusal(call())).toMatchObject(error);
});
