import { expect, test } from "vitest";
import { formatAmount, requireAmount, requireCurrency } from "./currencies.ts";

test.each([
	[1234, "usd", "$12.34"],
	[30, "gbp", "£0.30"],
	[1234, "jpy", "¥1,234"],
	[5120, "kwd", "KWD 5.120"],
	[50_000, "ugx", "UGX 500.00"],
	[100, "isk", "ISK 1.00"],
	[-1234, "eur", "-€12.34"],
	[99, "mga", "MGA 99"],
])("formats %i %s as %s", (amount, currency, text) => {
	expect(formatAmount(amount, currency)).toBe(text);
});

test.each([
	[49, "usd", "Amount must be at least $0.50 usd"],
	[29, "gbp", "Amount must be at least £0.30 gbp"],
	[49, "jpy", "Amount must be at least ¥50 jpy"],
	[17_499, "huf", "Amount must be at least HUF 175.00 huf"],
	[100_000_000, "usd", "Amount must be no more than $999,999.99"],
	[100_000_000, "krw", "Amount must be no more than ₩99,999,999"],
	[1_000_000_000_000, "idr", "Amount must be no more than IDR 9,999,999,999.99"],
	[5124, "kwd", "Amounts in kwd must be multiples of 10."],
	[550, "isk", "Amounts in isk must be multiples of 100."],
])("refuses an amount of %i %s", (amount, currency, message) => {
	expect(() => requireAmount(amount, currency)).toThrow(message);
});

test.each([
	[50, "usd"],
	[30, "gbp"],
	[1, "krw"],
	[5120, "kwd"],
	[100, "ugx"],
	[99_999_999, "eur"],
	[999_999_999_999, "idr"],
])("accepts an amount of %i %s", (amount, currency) => {
	requireCurrency(currency);
	requireAmount(amount, currency);
});

test("an unknown currency is refused with the list of currencies", () => {
	expect(() => requireCurrency("xyz")).toThrow(
		/^Invalid currency: xyz\. Stripe currently supports these currencies: usd, aed, .*, zmw$/,
	);
});
