import fc from "fast-check";
import { expect, test } from "vitest";
import { moneyFormat } from "./money.ts";

test.each([
	[5, "usd", "en-US", "$0.05", "0.05"],
	[9899, "usd", "en-US", "$98.99", "98.99"],
	[109498, "usd", "en-US", "$1,094.98", "1094.98"],
	[109498, "eur", "en-IE", "€1,094.98", "1094.98"],
	[109498, "jpy", "ja-JP", "￥109,498", "109498"],
])("%i %s are formatted in %s as %s, and for programs as %s", (amount, currency, locale, text, decimal) => {
	const format = moneyFormat(currency, locale);
	expect([format.text(amount), format.decimal(amount)]).toEqual([text, decimal]);
});

test("every amount in dollars is formatted with '$', thousands separators and two decimals, exact to the cent", () => {
	const { text } = moneyFormat("usd", "en-US");
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 99999999 }), (cents) => {
			expect(text(cents)).toMatch(/^\$\d{1,3}(,\d{3})*\.\d{2}$/);
			expect(Number(text(cents).replaceAll(/\D/g, ""))).toBe(cents);
		}),
	);
});
