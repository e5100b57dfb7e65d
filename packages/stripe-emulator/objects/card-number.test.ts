import { expect, test } from "vitest";
import { brandOf, cvcLength, formatNumber, hasCheckDigit, isWholeCvc, isWholeNumber } from "./card-number.ts";

test.each([
	["4242424242424242", "visa", "4242 4242 4242 4242"],
	["5555555555554444", "mastercard", "5555 5555 5555 4444"],
	["2223003122003222", "mastercard", "2223 0031 2200 3222"],
	["378282246310005", "amex", "3782 822463 10005"],
	["6011111111111117", "discover", "6011 1111 1111 1117"],
	["3056930009020004", "diners", "3056 9300 0902 0004"],
	["36227206271667", "diners", "3622 7206 2716 67"],
	["3566002020360505", "jcb", "3566 0020 2036 0505"],
	["6200000000000005", "unionpay", "6200 0000 0000 0005"],
	["9999999999999995", "unknown", "9999 9999 9999 9995"],
])("%s is a complete %s number, formatted as %s", (digits, brand, written) => {
	expect(brandOf(digits)).toBe(brand);
	expect(formatNumber(digits)).toBe(written);
	expect(isWholeNumber(digits)).toBe(true);
	expect(hasCheckDigit(digits)).toBe(true);
});

test.each(["222099", "272100", "5099", "56", "3", "60", ""])("brandOf returns unknown for prefix %j", (digits) => {
	expect(brandOf(digits)).toBe("unknown");
});

test.each(["222100", "272099", "51", "55"])("brandOf returns mastercard for prefix %s", (digits) => {
	expect(brandOf(digits)).toBe("mastercard");
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
