import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTotal } from "./create.server.ts";

/** Parses the total in a query string. */
function total(query: string): number | null {
	return parseTotal(new URL(`http://shop.test/payments/create?${query}`));
}

test.each([50, 51, 1196, 23900, 109498, 21899600, 99999999])("parseTotal accepts %i cents", (cents) => {
	expect(total(`total=${cents}`)).toBe(cents);
});

test("parseTotal accepts every integer from 50 to 99999999 and no other number", () => {
	fc.assert(
		fc.property(fc.oneof(fc.integer({ min: -100, max: 200 }), fc.maxSafeInteger(), fc.double()), (cents) => {
			const valid = Number.isInteger(cents) && cents >= 50 && cents <= 99999999;
			expect(total(`total=${cents}`)).toBe(valid ? cents : null);
		}),
		{ numRuns: 2000 },
	);
});

test("parseTotal accepts a total only in canonical decimal form", () => {
	const numberLike = fc.string({ unit: fc.constantFrom(..."0123456789exE+-_. ") });
	fc.assert(
		fc.property(fc.oneof(fc.string({ unit: "grapheme" }), numberLike), (text) => {
			const read = total(`total=${encodeURIComponent(text)}`);
			if (read !== null) expect(String(read)).toBe(text);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	["a missing total", ""],
	["an empty total", "total="],
	["an upper-case parameter name", "TOTAL=1196"],
	["letters", "total=abc"],
	["NaN", "total=NaN"],
	["Infinity", "total=Infinity"],
	["zero", "total=0"],
	["a negative amount", "total=-1"],
	["49 cents", "total=49"],
	["a fraction", "total=10.5"],
	["a zero fraction", "total=1196.0"],
	["an exponent", "total=1e3"],
	["hexadecimal digits", "total=0x10"],
	["a percent-encoded plus", "total=%2B500"],
	["a plus, which decodes to a space", "total=+500"],
	["a leading space", "total=%20500"],
	["a trailing space", "total=500%20"],
	["a trailing line feed", "total=500%0A"],
	["a leading zero", "total=0500"],
	["Arabic digits", "total=%D9%A5%D9%A0%D9%A0"],
	["full-width digits", "total=%EF%BC%95%EF%BC%90"],
	["a trailing NUL", "total=500%00"],
	["400 digits", `total=${"9".repeat(400)}`],
	["100000000 cents", "total=100000000"],
	["two totals", "total=1196&total=50"],
	["the same total twice", "total=1196&total=1196"],
	["a list", "total[]=1196"],
])("parseTotal rejects %s", (_, query) => {
	expect(total(query)).toBeNull();
});
