import { expect, test } from "vitest";
import { parseCredentials } from "./credentials.server.ts";

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
