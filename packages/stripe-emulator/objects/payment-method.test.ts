import { expect, test } from "vitest";
import { newPaymentMethod } from "./payment-method.ts";

const november2026 = Date.UTC(2026, 10, 15) / 1000;
const visa = { number: "4242424242424242", expMonth: 12, expYear: 2040, cvc: "123" };

test("a card can contain spaces and hyphens, expire this month in a year of two digits, and have no security code", () => {
	const card = { number: "4242 4242-4242 4242", expMonth: 11, expYear: 26, cvc: undefined };
	expect(newPaymentMethod(card, november2026)).toMatchObject({
		outcome: { cvcCheck: null, decline: null },
		paymentMethod: {
			card: { brand: "visa", last4: "4242", exp_month: 11, exp_year: 2026, checks: { cvc_check: null } },
		},
	});
});

test.each([
	[{ number: "4242424242424241" }, "incorrect_number", "number"],
	[{ number: "42424242420" }, "incorrect_number", "number"],
	[{ number: "４２４２４２４２４２４２４２４２" }, "incorrect_number", "number"],
	[{ expMonth: 0 }, "invalid_expiry_month", "exp_month"],
	[{ expMonth: 13 }, "invalid_expiry_month", "exp_month"],
	[{ expYear: 2025 }, "invalid_expiry_year", "exp_year"],
	[{ expYear: 2077 }, "invalid_expiry_year", "exp_year"],
	[{ expMonth: 10, expYear: 2026 }, "expired_card", "exp_month"],
	[{ cvc: "12" }, "invalid_cvc", "cvc"],
	[{ cvc: "12٣" }, "invalid_cvc", "cvc"],
	[{ number: "378282246310005" }, "invalid_cvc", "cvc"],
])("in November 2026, a card with %o is refused with the code %s", (invalid, code, param) => {
	const refused = { status: 402, body: expect.objectContaining({ type: "card_error", code, param }) };
	expect(() => newPaymentMethod({ ...visa, ...invalid }, november2026)).toThrow(expect.objectContaining(refused));
});
