import { expect, test } from "vitest";
import { brandOf } from "./card-number.ts";

test.each([
	["4242", "visa"],
	...["51", "55", "222100", "272099"].map((digits) => [digits, "mastercard"]),
	["37", "amex"],
	["6011", "discover"],
	...["3056", "36"].map((digits) => [digits, "diners"]),
	["3566", "jcb"],
	["62", "unionpay"],
	...["222099", "272100", "5099", "56", "3", "60", "9999", ""].map((digits) => [digits, "unknown"]),
])("brandOf returns the brand of a number that starts with %j: %s", (digits = "", brand) => {
	expect(brandOf(digits)).toBe(brand);
});
