import { expect, test } from "vitest";
import { openShop } from "../../tests/support/payments.ts";
import { createUser, parseCredentials, verifyCredentials } from "./credentials.server.ts";
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
