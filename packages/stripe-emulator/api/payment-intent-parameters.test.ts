import { expect, test } from "vitest";
import { Parameters } from "./parameters.ts";
import { readCancel, readConfirm, readCreate, readUpdate } from "./payment-intent-parameters.ts";

const create = "amount=500&currency=usd";
const types = "allowed_payment_method_types[]";
const automatic = "automatic_payment_methods";
const data = "payment_method_data";
const numbered = `${data}[type]=card&${data}[card][number]=4242424242424242`;
const card = `${numbered}&${data}[card][exp_month]=12&${data}[card][exp_year]=40`;
const billing = `${data}[billing_details]`;

test.each<[form: string, param: string | undefined, message: string, code?: string]>([
	["currency=usd", "amount", "Missing required param: amount.", "parameter_missing"],
	["amount=500", "currency", "Missing required param: currency.", "parameter_missing"],
	["amount=0", "amount", "This value must be greater than or equal to 1.", "parameter_invalid_integer"],
	["amount=49&currency=usd", "amount", "Amount must be at least $0.50 usd", "amount_too_small"],
	["amount=249&currency=dkk", "amount", "Amount must be at least DKK\u00A02.50 dkk", "amount_too_small"],
	["amount=49&currency=jpy", "amount", "Amount must be at least ¥50 jpy", "amount_too_small"],
	["amount=100000000&currency=usd", "amount", "Amount must be no more than $999,999.99", "amount_too_large"],
	["amount=500&currency=xts", "currency", "Invalid currency: xts."],
	["payment_method_types[]=card", "payment_method_types", "", "payment_method_types_no_longer_supported"],
	[`${create}&${types}=link`, "allowed_payment_method_types", "only the payment method type card"],
	[`${create}&${types}=card&${automatic}[enabled]=true`, undefined, "You may only specify one of"],
	[`${create}&${automatic}[allow_redirects]=never`, `${automatic}[enabled]`, "Missing required param"],
	[`${create}&confirm=1`, "confirm", "Invalid confirm: must be one of true or false"],
	[`${create}&receipt_email=ada@example`, "receipt_email", "Invalid email address: ada@example", "email_invalid"],
	[`${create}&${card}&${billing}[email]=ada`, `${billing}[email]`, "Invalid email address: ada", "email_invalid"],
	[`${create}&${data}[card][number]=4242`, `${data}[type]`, "Missing required param"],
	[`${create}&${data}[type]=link`, `${data}[type]`, "must be one of card"],
	[`${create}&${data}[type]=card`, `${data}[card]`, "Missing required param"],
	[`${create}&${numbered}`, `${data}[card][exp_month]`, "Missing required param"],
	[`${create}&${numbered}&${data}[card][exp_month]=12`, `${data}[card][exp_year]`, "Missing required param"],
])("readCreate refuses %s", (form, param, message, code) => {
	const given = { ...(param && { param }), ...(code && { code }) };
	const body = expect.objectContaining({ ...given, message: expect.stringContaining(message) });
	expect(() => readCreate(Parameters.parse(form))).toThrow(expect.objectContaining({ status: 400, body }));
});

test("readCreate accepts the smallest and the largest amount, and has automatic payment methods by default", () => {
	for (const amount of [50, 99_999_999]) {
		const { intent } = readCreate(Parameters.parse(`amount=${amount}&currency=USD`));
		expect(intent).toEqual({
			amount,
			currency: "usd",
			allowedTypes: undefined,
			automatic: { allow_redirects: "always", enabled: true },
		});
	}
	const { intent } = readCreate(Parameters.parse(`${create}&${types}=card`));
	expect(intent).toMatchObject({ allowedTypes: ["card"], automatic: null });
});

test("readUpdate reads the details that change, and null for those that are unset", () => {
	const { details } = readUpdate(Parameters.parse("amount=500&metadata[owner]=&receipt_email="));
	expect(details).toEqual({ amount: 500, metadata: new Map([["owner", ""]]), receiptEmail: null });
});

const details = "amount, currency, description, metadata, receipt_email";
const methods = `payment_method, ${data}`;
const address = "city, country, line1, line2, postal_code, state";

test.each<[string, (params: Parameters) => unknown, string]>([
	["customer", readCreate, `${details}, allowed_payment_method_types, ${automatic}, confirm, ${methods}`],
	["shipping", readUpdate, `${details}, ${methods}`],
	["return_url", readConfirm, `receipt_email, ${methods}, use_stripe_sdk`],
	["comment", readCancel, "cancellation_reason"],
	[`${data}[id]`, readConfirm, namesIn(data, "billing_details, card, type")],
	[`${data}[card][token]`, readConfirm, namesIn(`${data}[card]`, "cvc, exp_month, exp_year, number")],
	[`${billing}[age]`, readConfirm, namesIn(billing, "address, email, name, phone")],
	[`${billing}[address][town]`, readConfirm, namesIn(`${billing}[address]`, address)],
])("the unsupported parameter %s is refused with a list of the supported ones", (param, read, supported) => {
	const message = `Received unknown parameter: ${param}. Here, the Stripe emulator supports ${supported}.`;
	const form = param.startsWith(data) ? `${card}&${param}=x` : `${param}=x`;
	expect(() => read(Parameters.parse(form))).toThrow(message);
});

function namesIn(group: string, names: string): string {
	return names.replaceAll(/\w+/g, `${group}[$&]`);
}
