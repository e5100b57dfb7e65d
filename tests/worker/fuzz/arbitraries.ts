import fc from "fast-check";
import { toBytes } from "../../support/raw-request.ts";

/** Generates `usual` five times out of six, and `otherwise` the sixth time. */
export const often = <T>(usual: fc.Arbitrary<T>, otherwise: fc.Arbitrary<T>) => weighted([5, usual], [1, otherwise]);
export const some = <T>(what: fc.Arbitrary<T>, maxLength: number) => fc.array(what, { maxLength, size: "max" });
export const weighted = <T>(...choices: (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]) =>
	fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const visible = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f);
const byte = weighted([9, visible], [1, fc.integer({ min: 0, max: 255 })]);
const bytes = fc.array(byte, { maxLength: 40 }).map((codes) => String.fromCharCode(...codes));

/** Strings that some parsers treat specially. */
const pieces = [
	..."0 -1 1e3 null undefined true NaN [] {} a,b a=b % %00 %zz %c0%af %E0%A4%A * {{7*7}}".split(" "),
	..."__proto__ constructor toString hasOwnProperty then %0d%0aSet-Cookie:%20a=b".split(" "),
	..."%2e%2e%2f ../../etc/passwd ..%5c.. http://evil.test/ //evil.test javascript:alert(1)".split(" "),
	...["", " ", "a b", "\t", '"', "\\", "/\\evil.test", "' OR 1=1--", "'; drop table users;--"],
	...['"><script>alert(1)</script>', "1".repeat(400), "x".repeat(8000)],
	...["\x00", "\x7f", "\xff\xfe", "\xed\xa0\x80", "\xc0\xaf"],
	...["\u202e", "\u0661", "\ufeff", "\u{1f986}", "e\u0301", "\ufdfa", "\u0000"].map(toBytes),
];
export const malformed = fc.oneof(fc.constantFrom(...pieces), bytes);
/** Malformed text without the characters that end a header. */
export const malformedHeader = malformed.map((piece) => piece.replaceAll(/[\r\n\0]/g, ""));
/** Malformed text without the characters that end a request target. */
export const malformedTarget = malformed.map((piece) => piece.replaceAll(/[\0-\x20\x7f]/g, ""));
