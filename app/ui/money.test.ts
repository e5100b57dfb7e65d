import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney } from "./money.ts";

test.each([
	[5, "$0.05"],
	[9899, "$98.99"],
	[109498, "$1,094.98"],
])("%i cents are formatted as %s", (cents, text) => {
	expect(formatMoney(cents)).toBe(text);
});

test("every amount is formatted with '$', thousands separators and two decimals, exact to the cent", () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 99999999 }), (cents) => {
			const text = formatMoney(cents);
			expect(text).toMatch(/^\$\d{1,3}(,\d{3})*\.\d{2}$/);
			expect(Number(text.replaceAll(/\D/g, ""))).toBe(cents);
		}),
	);
});
