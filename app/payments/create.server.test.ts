import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTotal } from "./create.server.ts";

/** The total as it stands in the URL, escapes and all. */
function total(query: string): number | null {
	return parseTotal(new URL(`http://shop.test/payments/create?${query}`));
}

test.each([50, 51, 1196, 23900, 109498, 21899600, 99999999])("takes %i cents", (cents) => {
	expect(total(`total=${cents}`)).toBe(cents);
});

test("every whole number of cents from 50 to 99999999 is a total, and no other number is", () => {
	fc.assert(
		fc.property(fc.oneof(fc.integer({ min: -100, max: 200 }), fc.maxSafeInteger(), fc.double()), (cents) => {
			const valid = Number.isInteger(cents) && cents >= 50 && cents <= 99999999;
			expect(total(`total=${cents}`)).toBe(valid ? cents : null);
		}),
		{ numRuns: 2000 },
	);
});

test("whatever else is typed is none: a total is read only as it would be written", () => {
	const numberLike = fc.string({ unit: fc.constantFrom(..."0123456789exE+-_. ") });
	fc.assert(
		fc.property(fc.oneof(fc.string({ unit: "binary" }), numberLike), (text) => {
			const read = total(`total=${encodeURIComponent(text.toWellFormed())}`);
			if (read !== null) expect(String(read)).toBe(text);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	["a missing total", ""],
	["an empty one", "total="],
	["one in capitals", "TOTAL=1196"],
	["letters", "total=abc"],
	["NaN", "total=NaN"],
	["Infinity", "total=Infinity"],
	["zero", "total=0"],
	["a negative amount", "total=-1"],
	["49 cents", "total=49"],
	["a fraction", "total=10.5"],
	["a fraction of nothing", "total=1196.0"],
	["an exponent", "total=1e3"],
	["hexadecimal digits", "total=0x10"],
	["an escaped plus", "total=%2B500"],
	["a plus, which is a blank", "total=+500"],
	["a blank before", "total=%20500"],
	["a blank after", "total=500%20"],
	["a line feed after", "total=500%0A"],
	["a zero before", "total=0500"],
	["Arabic digits", "total=%D9%A5%D9%A0%D9%A0"],
	["full-width digits", "total=%EF%BC%95%EF%BC%90"],
	["NUL", "total=500%00"],
	["400 digits", `total=${"9".repeat(400)}`],
	["100000000 cents", "total=100000000"],
	["two totals", "total=1196&total=50"],
	["the same total twice", "total=1196&total=1196"],
	["a list", "total[]=1196"],
])("refuses %s", (_, query) => {
	expect(total(query)).toBeNull();
});
