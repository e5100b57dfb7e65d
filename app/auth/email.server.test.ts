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
	"\ufffda@b.c",
	"a@ü.de:80",
	"a@c.d\u0001",
	`${"a".repeat(243)}@example.com`,
])("normalizeEmail rejects %j", (email) => {
	expect(normalizeEmail(email)).toBeNull();
});

test.each(["\ufeff", "\u200b", "\u200e\u200f", "\u202a", "\u00ad"])("normalizeEmail drops %j", (invisible) => {
	const emails = [`${invisible}ab@c.d`, `ab@c.d${invisible} `, ` ${invisible}ab@c.d`, `a${invisible}b@c.d`];
	expect(emails.map(normalizeEmail)).toEqual(emails.map(() => "ab@c.d"));
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
