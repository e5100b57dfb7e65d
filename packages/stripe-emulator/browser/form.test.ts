import { expect, test } from "vitest";
import { billingShape, confirmationShape, formOf } from "./form.ts";

test("nested objects become form fields with bracketed names", () => {
	const billing = { name: "Ada", address: { city: "London", postal_code: "N1" }, phone: undefined };
	expect(formOf(billing, billingShape, "billing_details")).toEqual({
		"billing_details[name]": "Ada",
		"billing_details[address][city]": "London",
		"billing_details[address][postal_code]": "N1",
	});
});

test("empty nested values are omitted, and empty top-level values are sent and unset the field", () => {
	const shipping = { name: "Ada", phone: null, address: { line1: "6 Dozen Street", line2: "" } };
	expect(formOf({ shipping, receipt_email: "" }, confirmationShape)).toEqual({
		receipt_email: "",
		"shipping[name]": "Ada",
		"shipping[address][line1]": "6 Dozen Street",
	});
	expect(formOf({ shipping: null }, confirmationShape)).toEqual({ shipping: "" });
});

test.each([
	[{ setup_future_usage: "off_session" }, "does not support setup_future_usage"],
	[{ save_payment_method: true }, "does not support save_payment_method"],
	[{ shipping: { name: "Ada", address: { town: "London" } } }, "does not support shipping[address][town]"],
	[{ toString: "x" }, "does not support toString"],
	[{ receipt_email: 1 }, "receipt_email should be a string"],
	[{ shipping: "6 Dozen Street" }, "shipping should be an object"],
])("formOf throws for %o", (given, message) => {
	expect(() => formOf(given, confirmationShape)).toThrow(message);
});

test("an unsupported key without a value is ignored", () => {
	expect(formOf({ setup_future_usage: null, mandate_data: undefined }, confirmationShape)).toEqual({});
});
