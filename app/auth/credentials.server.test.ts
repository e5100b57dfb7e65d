import { expect, test } from "vitest";
import { openShop } from "../../tests/support/payments.ts";
import { createUser, normalizeEmail, parseCredentials, verifyCredentials } from "./credentials.server.ts";
import { hashPassword } from "./password.server.ts";

const cost = { N: 2, r: 1, p: 1 };

function form(...fields: [string, string | File][]): FormData {
	const data = new FormData();
	for (const [name, value] of fields) data.append(name, value);
	return data;
}

test("parseCredentials normalizes the email and keeps the password as typed, even if it is only spaces", () => {
	for (const password of ["  Correct Horse ", "        "]) {
		const typed = form(["email", " Ada@Example.COM "], ["password", password], ["intent", "sign-in"]);
		expect(parseCredentials(typed)).toEqual({ email: "ada@example.com", password });
	}
});

test.each([
	["nothing but a blank email", form(["email", " "]), "Enter your email and password.", "email"],
	["only an email", form(["email", "a@b.c"]), "Enter your password.", "password"],
	["a password and a blank email", form(["email", " "], ["password", "correct horse"]), "Enter your email.", "email"],
	["a malformed email", form(["email", "a@"], ["password", "correct horse"]), "Enter a valid email address.", "email"],
	[
		"an email with an invisible character",
		form(["email", "a\u200bb@c.d"], ["password", "correct horse"]),
		"This email contains an invisible character. Type it instead of pasting it.",
		"email",
	],
])("parseCredentials with %s returns a refusal that names the field", (_, typed, refusal, field) => {
	expect(parseCredentials(typed)).toEqual({ refusal, field });
});

test.each([
	["the same email twice", form(["email", "a@b.c"], ["email", "a@b.c"], ["password", "correct horse"])],
	["two passwords", form(["email", "a@b.c"], ["password", "correct horse"], ["password", "other horse"])],
	["a file as password", form(["email", "a@b.c"], ["password", new File(["correct horse"], "p.txt")])],
])("parseCredentials rejects %s", (_, typed) => {
	expect(parseCredentials(typed)).toEqual({ refusal: "Enter one email and one password." });
});

test.each(["ada@example.com", "unknown@example.com"])(
	"a password for %s is hashed, so that the time does not reveal who has an account",
	async (email) => {
		const { primary, sqlite } = openShop();
		sqlite.all("update users set password_hash = ?", [await hashPassword("another password", cost)]);
		const password = "correct horse battery";
		let hashed = 0;
		const answer = await verifyCredentials(primary, { email, password }, (work) => {
			hashed++;
			return work(cost);
		});
		expect(answer).toEqual({ refusal: "Email or password is incorrect.", field: "password" });
		expect(hashed).toBe(1);
	},
);

test.each(["ada@example.com", "unknown@example.com"])(
	"a password for %s that is typed decomposed is hashed in both forms, in two turns",
	async (email) => {
		const { primary, sqlite } = openShop();
		sqlite.all("update users set password_hash = ?", [await hashPassword("another password", cost)]);
		let turns = 0;
		const credentials = { email, password: "cafe\u0301 au lait" };
		const answer = await verifyCredentials(primary, credentials, async (work) => {
			turns++;
			return work(cost);
		});
		expect(answer).toEqual({ refusal: "Email or password is incorrect.", field: "password" });
		expect(turns).toBe(2);
	},
);

test("an account is not created if too many passwords wait to be hashed", async () => {
	const { primary, sqlite } = openShop();
	const [email, password] = ["new@example.com", "correct horse battery"];
	const credentials = { email, password, typedPassword: password };
	const isBusy = async () => "busy" as const;
	expect(await createUser(primary, credentials, () => 1, isBusy)).toBe("busy");
	expect(sqlite.all("select id from users where email = ?", [email])).toEqual([]);
});

test("an account that was created with a decomposed password keeps it", async () => {
	const { primary, sqlite } = openShop();
	sqlite.all("update users set password_hash = ?", [await hashPassword("cafe\u0301 au lait", cost)]);
	const signIn = (password: string) =>
		verifyCredentials(primary, { email: "ada@example.com", password }, (work) => work(cost));
	expect(await signIn("cafe\u0301 au lait")).toEqual({ id: expect.any(String) });
	expect(await signIn("caf\u00e9 au lait")).toHaveProperty("refusal");
});

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
