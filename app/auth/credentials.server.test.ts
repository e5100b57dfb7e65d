import { expect, test } from "vitest";
import { parseCredentials } from "./credentials.server.ts";

function form(...fields: [string, string | File][]): FormData {
	const data = new FormData();
	for (const [name, value] of fields) data.append(name, value);
	return data;
}

test("the sign-in form holds an e-mail, in the spelling it is stored under, and a password exactly as typed", () => {
	const typed = form(["email", " Ada@Example.COM "], ["password", "  Correct Horse "], ["intent", "sign-in"]);
	expect(parseCredentials(typed)).toEqual({ email: "ada@example.com", password: "  Correct Horse " });
});

const both = "Enter your email and password.";
const email = "Enter your email.";
const password = "Enter your password.";

test.each([
	["nothing at all", form(), both, "email"],
	["two empty fields", form(["email", ""], ["password", ""]), both, "email"],
	["a blank e-mail alone", form(["email", "   "]), both, "email"],
	["an e-mail alone", form(["email", "a@b.c"]), password, "password"],
	["an e-mail and an empty password", form(["email", "a@b.c"], ["password", ""]), password, "password"],
	["a password alone", form(["password", "correct horse"]), email, "email"],
	["a password and a blank e-mail", form(["email", " "], ["password", "correct horse"]), email, "email"],
])("%s: says which is missing", (_, typed, refusal, field) => {
	expect(parseCredentials(typed)).toEqual({ refusal, field });
});

test("a password of blanks is a password", () => {
	expect(parseCredentials(form(["email", "a@b.c"], ["password", "        "]))).toHaveProperty(
		"password",
		" ".repeat(8),
	);
});

const file = new File(["a@b.c"], "email.txt");

test.each([
	["two e-mails", form(["email", "a@b.c"], ["email", "x@y.z"], ["password", "correct horse"])],
	["the same e-mail twice", form(["email", "a@b.c"], ["email", "a@b.c"], ["password", "correct horse"])],
	["two passwords", form(["email", "a@b.c"], ["password", "correct horse"], ["password", "other horse"])],
	["a file as e-mail", form(["email", file], ["password", "correct horse"])],
	["a file as password", form(["email", "a@b.c"], ["password", file])],
])("%s: asks for one of each", (_, typed) => {
	expect(parseCredentials(typed)).toEqual({ refusal: "Enter one email and one password." });
});

test.each(["abc", "a@", "@b", "a b@c.d", "a\0b@c.d", "\ud800a@b.c", "' OR 1=1--"])(
	"refuses %j, which is no e-mail address",
	(typed) => {
		const parsed = parseCredentials(form(["email", typed], ["password", "correct horse"]));
		expect(parsed).toEqual({ refusal: "Enter a valid email address.", field: "email" });
	},
);
