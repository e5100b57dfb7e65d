import fc from "fast-check";
import { expect, test } from "vitest";
import { openShop } from "../../tests/support/payments.ts";
import { normalizeEmail, parseCredentials, verifyCredentials } from "./credentials.server.ts";
import { hashPassword } from "./password.server.ts";

function form(...fields: [string, string | File][]): FormData {
	const data = new FormData();
	for (const [name, value] of fields) data.append(name, value);
	return data;
}

test("parseCredentials normalizes the email and keeps the password exactly as typed", () => {
	const typed = form(["email", " Ada@Example.COM "], ["password", "  Correct Horse "], ["intent", "sign-in"]);
	expect(parseCredentials(typed)).toEqual({ email: "ada@example.com", password: "  Correct Horse " });
});

const both = "Enter your email and password.";
const email = "Enter your email.";
const password = "Enter your password.";

test.each([
	["no fields", form(), both, "email"],
	["two empty fields", form(["email", ""], ["password", ""]), both, "email"],
	["only a blank email", form(["email", "   "]), both, "email"],
	["only an email", form(["email", "a@b.c"]), password, "password"],
	["an email and an empty password", form(["email", "a@b.c"], ["password", ""]), password, "password"],
	["only a password", form(["password", "correct horse"]), email, "email"],
	["a password and a blank email", form(["email", " "], ["password", "correct horse"]), email, "email"],
])("parseCredentials with %s returns a refusal that names the missing field", (_, typed, refusal, field) => {
	expect(parseCredentials(typed)).toEqual({ refusal, field });
});

test("parseCredentials accepts a password that consists only of spaces", () => {
	expect(parseCredentials(form(["email", "a@b.c"], ["password", "        "]))).toHaveProperty(
		"password",
		" ".repeat(8),
	);
});

const file = new File(["a@b.c"], "email.txt");

test.each([
	["two emails", form(["email", "a@b.c"], ["email", "x@y.z"], ["password", "correct horse"])],
	["the same email twice", form(["email", "a@b.c"], ["email", "a@b.c"], ["password", "correct horse"])],
	["two passwords", form(["email", "a@b.c"], ["password", "correct horse"], ["password", "other horse"])],
	["a file as email", form(["email", file], ["password", "correct horse"])],
	["a file as password", form(["email", "a@b.c"], ["password", file])],
])("parseCredentials rejects %s", (_, typed) => {
	expect(parseCredentials(typed)).toEqual({ refusal: "Enter one email and one password." });
});

test.each(["abc", "a@", "@b", "a b@c.d", "a\0b@c.d", "\ud800a@b.c", "' OR 1=1--"])(
	"parseCredentials rejects the malformed email %j",
	(typed) => {
		const parsed = parseCredentials(form(["email", typed], ["password", "correct horse"]));
		expect(parsed).toEqual({ refusal: "Enter a valid email address.", field: "email" });
	},
);

test.each(["ada@example.com", "unknown@example.com"])(
	"a password for %s is hashed, so that the time does not reveal who has an account",
	async (email) => {
		const cost = { N: 2, r: 1, p: 1 };
		const { primary, sqlite } = openShop();
		sqlite.all("update users set password_hash = ?", [await hashPassword("another password", cost)]);
		let hashed = 0;
		const answer = await verifyCredentials(primary, { email, password: "correct horse battery" }, (work) => {
			hashed++;
			return work(cost);
		});
		expect(answer).toEqual({ refusal: "Email or password is incorrect.", field: "password" });
		expect(hashed).toBe(1);
	},
);

test.each([
	["ada@example.com", "ada@example.com"],
	["a@b", "a@b"],
	["an email with a tag and subdomains", "first.last+tag@sub.example.co.uk"],
	["o'neill@example.com", "o'neill@example.com"],
	["用户@例子.广告", "用户@例子.广告"],
	["an email of 254 characters", `${"a".repeat(242)}@example.com`],
])("normalizeEmail accepts %s", (_, email) => {
	expect(normalizeEmail(email)).toBe(email);
});

test.each([
	["an empty string", ""],
	["an email without @", "abc"],
	["an email without a host", "a@"],
	["an email without a local part", "@b"],
	["an email with two @", "a@b@c"],
	["an email with a space inside", "a b@c.d"],
	["an email with a no-break space inside", "a\u00a0b@c.d"],
	["an email of 255 characters", `${"a".repeat(243)}@example.com`],
])("normalizeEmail rejects %s", (_, email) => {
	expect(normalizeEmail(email)).toBeNull();
});

test.each([
	["TAB", "\t"],
	["a byte order mark", "\ufeff"],
	["a lone surrogate", "\ud800"],
	["a replacement character", "\ufffd"],
])("normalizeEmail rejects an email that contains, starts with or ends with %s", (_, character) => {
	expect(normalizeEmail(`a${character}b@c.d`)).toBeNull();
	expect(normalizeEmail(`${character}ab@c.d`)).toBeNull();
	expect(normalizeEmail(`ab@c.d${character}`)).toBeNull();
});

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
])("an email with %s normalizes to its canonical form", (_, typed, email) => {
	expect(normalizeEmail(typed)).toBe(email);
});

/** Generates arbitrary text, with extra weight on letters for which composition and lowercasing interact. */
const names = fc.oneof(
	fc.string({ unit: "grapheme", minLength: 1 }),
	fc.string({ unit: fc.constantFrom("j", "J", "H", "É", "e", "\u030c", "\u0301", "\u0331"), minLength: 1 }),
);
const addresses = fc.tuple(names, fc.domain()).map(([name, host]) => `${name}@${host}`);

test("normalizeEmail is idempotent and independent of the input's Unicode form", () => {
	fc.assert(
		fc.property(addresses, (typed) => {
			const email = normalizeEmail(typed);
			fc.pre(email !== null);
			expect(normalizeEmail(email)).toBe(email);
			expect(email.normalize("NFC")).toBe(email);
			expect(normalizeEmail(typed.normalize("NFD"))).toBe(email);
		}),
		{ numRuns: 2000 },
	);
});
