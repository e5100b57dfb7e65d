import { expect, test } from "vitest";
import { billingShape, confirmationShape, formOf } from "./form.ts";

test("an object becomes the fields of a form, groups in brackets", () => {
	const billing = { name: "Ada", address: { city: "London", postal_code: "N1" }, phone: undefined };
	expect(formOf(billing, billingShape, "billing_details")).toEqual({
		"billing_details[name]": "Ada",
		"billing_details[address][city]": "London",
		"billing_details[address][postal_code]": "N1",
	});
});

test("what is empty is left out of a group, and at the top asks to remove what there was", () => {
	const shipping = { name: "Ada", phone: null, address: { line1: "6 Dozen Street", line2: "" } };
	expect(formOf({ shipping, receipt_email: "" }, confirmationShape)).toEqual({
		receipt_email: "",
		"shipping[name]": "Ada",
		"shipping[address][line1]": "6 Dozen Street",
	});
	expect(formOf({ shipping: null }, confirmationShape)).toEqual({ shipping: "" });
});

test.each([
	[{ setup_future_usage: "off_session" }, "does not know setup_future_usage"],
	[{ save_payment_method: true }, "does not know save_payment_method"],
	[{ shipping: { name: "Ada", address: { town: "London" } } }, "does not know shipping[address][town]"],
	[{ toString: "x" }, "does not know toString"],
	[{ receipt_email: 1 }, "receipt_email should be a string"],
	[{ shipping: "6 Dozen Street" }, "shipping should be an object"],
])("%o is refused rather than dropped", (given, message) => {
	expect(() => formOf(given, confirmationShape)).toThrow(message);
});

test("a name that is not known asks for nothing when it has no value", () => {
	expect(formOf({ setup_future_usage: null, mandate_data: undefined }, confirmationShape)).toEqual({});
});
