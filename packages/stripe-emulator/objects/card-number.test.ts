import { expect, test } from "vitest";
import { brandOf, cvcLength, formatNumber, hasCheckDigit, isWholeCvc, isWholeNumber } from "./card-number.ts";

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

test("hasCheckDigit rejects a wrong digit, two swapped digits and an empty number", () => {
	expect(hasCheckDigit("4242424242424241")).toBe(false);
	expect(hasCheckDigit("4224424242424242")).toBe(false);
	expect(hasCheckDigit("")).toBe(false);
});

test("formatNumber formats a partial number and truncates a long number to the brand's length", () => {
	expect(formatNumber("")).toBe("");
	expect(formatNumber("42424")).toBe("4242 4");
	expect(formatNumber("3782822")).toBe("3782 822");
	expect(formatNumber("4242424242424242999")).toBe("4242 4242 4242 4242");
	expect(isWholeNumber("424242424242424")).toBe(false);
	expect(isWholeNumber("3782822463100055")).toBe(false);
});

test("security codes have four digits for American Express, three for other brands, either for an unknown brand", () => {
	expect(cvcLength("3782")).toBe(4);
	expect(cvcLength("4242")).toBe(3);
	expect(isWholeCvc("123", "3782")).toBe(false);
	expect(isWholeCvc("1234", "3782")).toBe(true);
	expect(isWholeCvc("1234", "4242")).toBe(false);
	expect(isWholeCvc("123", "")).toBe(true);
	expect(isWholeCvc("1234", "")).toBe(true);
});
