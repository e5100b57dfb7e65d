import { expect, test } from "vitest";
import { normalizeEmail } from "./email.server.ts";

test.each([
	"a@b",
	"first.last+tag@sub.example.co.uk",
	"o'neill@xn--fsqu00a.xn--4rr70v",
	"joão@example.com",
	`${"a".repeat(242)}@example.com`,
])("normalizeEmail accepts %s", (email) => {
	expect(normalizeEmail(email)).toBe(email);
});

test.each([
	"",
	"abc",
	"a@",
	"@b",
	"a@b@c",
	"a b@c.d",
	"a\u00a0b@c.d",
	"a@é/b",
	"\ufffda@b.c",
	...[":8080", ":80", ":", "/", "/.", "/a/..", "\\", "?", "#", "%2e", "%2E", "%61", "／", "：80", "％2e"].map(
		(end) => `a@é.b${end}`,
	),
	`${"a".repeat(243)}@example.com`,
])("normalizeEmail rejects %j", (email) => {
	expect(normalizeEmail(email)).toBeNull();
});

test.each(["\t", "\ufeff", "\u200b", "\u200e\u200f", "\u202a", "\u00ad", "\ufe0f", "\ufffc"])(
	"normalizeEmail drops %j at the ends of an email and rejects it inside",
	(character) => {
		const emails = [`${character}ab@c.d`, `ab@c.d${character} `, ` ${character}ab@c.d`, `a${character}b@c.d`];
		expect(emails.map(normalizeEmail)).toEqual(["ab@c.d", "ab@c.d", "ab@c.d", null]);
	},
);

test("normalizeEmail rejects an email that contains a code point that renders as blank", () => {
	const fillers = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u3164\ufe0f\uffa0\u{e0101}";
	const symbols = "\u2800\u2d7f\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}\ufffc";
	const all = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint));
	const listed = all.filter((character) => /[\p{Cc}\p{Cf}\p{White_Space}\p{DI}]/u.test(character));
	const taken = [...fillers, ...symbols, ...listed].filter((character) => normalizeEmail(`a${character}b@c.d`));
	expect(taken.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
});

test.each([
	["upper case", "ADA@Example.COM", "ada@example.com"],
	["spaces around it", "  ada@example.com ", "ada@example.com"],
	["a decomposed letter", "rene\u0301@example.com", "ren\u00e9@example.com"],
	["a decomposed capital", "RENE\u0301@example.com", "ren\u00e9@example.com"],
	["a capital that has no composed form", "J\u030c@example.com", "\u01f0@example.com"],
	["a domain in Unicode", "o'neill@例子.广告", "o'neill@xn--fsqu00a.xn--4rr70v"],
	["a domain in decomposed capitals", "ada@BU\u0308CHER.example", "ada@xn--bcher-kva.example"],
	["an ideographic full stop", "ada@bücher。example", "ada@xn--bcher-kva.example"],
	["a domain of digits", "ada@127.1", "ada@127.1"],
])("an email with %s normalizes to its canonical form", (_, typed, email) => {
	expect(normalizeEmail(typed)).toBe(email);
});
