import fc from "fast-check";
import { toBytes } from "./raw-request.ts";

/** As it should be, as a rule. */
export const often = <T>(usual: fc.Arbitrary<T>, otherwise: fc.Arbitrary<T>) =>
	fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: otherwise });
export const some = <T>(what: fc.Arbitrary<T>, maxLength: number) => fc.array(what, { maxLength, size: "max" });
const visible = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f);
const byte = fc.oneof({ weight: 9, arbitrary: visible }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) });
const text = (unit: fc.Arbitrary<number>) =>
	fc.array(unit, { maxLength: 40 }).map((codes) => String.fromCharCode(...codes));

/** Pieces that some reader or other takes for something else than text. */
const pieces = [
	...["", " ", "0", "-1", "1e3", "null", "undefined", "true", "NaN", "[]", "{}", "a,b", "a=b", "a b", "\t", '"', "\\"],
	...["__proto__", "constructor", "toString", "hasOwnProperty", "then", "' OR 1=1--", "'; drop table users;--", "%"],
	...[
		"%00",
		"%0d%0aSet-Cookie:%20a=b",
		"%zz",
		"%c0%af",
		"%E0%A4%A",
		"%2e%2e%2f",
		"../../etc/passwd",
		"..%5c..",
		"{{7*7}}",
	],
	...['"><script>alert(1)</script>', "javascript:alert(1)", "http://evil.test/", "//evil.test", "/\\evil.test", "*"],
	...["\x00", "\x7f", "\xff\xfe", "\xed\xa0\x80", "\xc0\xaf", "1".repeat(400), "x".repeat(8000)],
	...["\u202e", "\u0661", "\ufeff", "\u{1f986}", "e\u0301", "\ufdfa", "\u0000"].map(toBytes),
];
export const odd = fc.oneof(fc.constantFrom(...pieces), text(byte));
/** For where HTTP itself ends a word or a line. */
export const oddInLine = odd.map((piece) => piece.replaceAll(/[\r\n\0]/g, ""));
export const oddInTarget = odd.map((piece) => piece.replaceAll(/[\0-\x20\x7f]/g, ""));
