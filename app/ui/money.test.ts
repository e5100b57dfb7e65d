import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney } from "./money.ts";

test.each([
	[0, "$0.00"],
	[5, "$0.05"],
	[50, "$0.50"],
	[1196, "$11.96"],
	[9899, "$98.99"],
	[19999, "$199.99"],
	[23900, "$239.00"],
	[59899, "$598.99"],
	[109498, "$1,094.98"],
	[99999999, "$999,999.99"],
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
