import { expect, test } from "vitest";
import { billingShape, confirmationShape, formOf } from "./form.ts";

test("nested objects become form fields with bracketed names, without empty values", () => {
	const billing = { name: "Ada", address: { city: "London", line2: "" }, phone: null, email: undefined };
	expect(formOf(billing, billingShape, "billing_details")).toEqual({
		"billing_details[name]": "Ada",
		"billing_details[address][city]": "London",
	});
});

test("an empty top-level value is sent, which unsets the field, but not for an unsupported key", () => {
	const given = { receipt_email: "", setup_future_usage: null, mandate_data: undefined };
	expect(formOf(given, confirmationShape)).toEqual({ receipt_email: "" });
});

test.each([
	[{ setup_future_usage: "off_session" }, confirmationShape, "does not support setup_future_usage"],
	[{ address: { town: "London" } }, billingShape, "does not support address[town]"],
	[{ toString: "x" }, confirmationShape, "does not support toString"],
	[{ receipt_email: 1 }, confirmationShape, "receipt_email should be a string"],
	[{ address: "6 Dozen Street" }, billingShape, "address should be an object"],
])("formOf throws for %o", (given, shape, message) => {
	expect(() => formOf(given, shape)).toThrow(message);
});
