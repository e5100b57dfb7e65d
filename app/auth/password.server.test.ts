import { type BinaryLike, type ScryptOptions, scryptSync } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { hashPassword, passwordProblem, verifyPassword } from "./password.server.ts";

/** Node's own scrypt does the work; this counts. */
const hashes = vi.hoisted(() => ({ started: 0 }));
beforeEach(() => void Object.assign(hashes, { started: 0 }));

vi.mock("node:crypto", async (importOriginal) => {
	const original = await importOriginal<typeof import("node:crypto")>();
	type Done = (error: Error | null, key: Buffer) => void;
	function scrypt(password: BinaryLike, salt: BinaryLike, length: number, options: ScryptOptions, done: Done): void {
		hashes.started++;
		original.scrypt(password, salt, length, options, done);
	}
	return { ...original, scrypt };
});

const tooShort = "The password must have at least 8 characters.";
const tooLong = "The password may have at most 128 characters.";

test.each([
	["no character", "", tooShort],
	["7 characters", "kq7!xz2", tooShort],
	["7 characters outside the basic plane", "🦆".repeat(7), tooShort],
	["129 characters", "kq7!xz2 v".repeat(15).slice(0, 129), tooLong],
	["10,000 characters", "k".repeat(10_000), tooLong],
	["a common word", "password", expect.stringContaining("most common")],
	["a common word in other case", "PassWord", expect.stringContaining("most common")],
	["the digits in order", "12345678", expect.stringContaining("most common")],
])("a new password of %s is refused with the reason", (_, password, reason) => {
	expect(passwordProblem(password)).toEqual(reason);
});

test.each([
	["8 characters", "kq7!xz2v"],
	["128 characters", "kq7!xz2v".repeat(16)],
	["128 characters outside the basic plane", "🦆".repeat(128)],
	["8 blanks", " ".repeat(8)],
	["control characters", "\0\x01\x02\x03\x04\x05\x06\x07"],
	["a common word and a blank", "password "],
])("a new password of %s is taken", (_, password) => {
	expect(passwordProblem(password)).toBeNull();
});

test("the 3,000 most common passwords are refused, each of which would do otherwise", () => {
	const common = readFileSync("app/auth/common-passwords.txt", "utf8").trimEnd().split("\n");
	expect(new Set(common).size).toBe(3000);
	for (const password of common) {
		expect(passwordProblem(password), password).toContain("most common");
		expect(passwordProblem(`${password.slice(0, 127)}\0`), password).toBeNull();
	}
});

test("a hash names its parameters, a salt of 16 bytes and a key of 32, and is not made of the password", async () => {
	const hash = await hashPassword("correct horse");
	expect(hash).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
	const [, , , , salt = "", key = ""] = hash.split("$");
	const expected = scryptSync("correct horse", Buffer.from(salt, "base64url"), 32, { N: 16384, r: 8, p: 5 });
	expect(key).toBe(expected.toString("base64url"));
});

test("one password hashed twice gives two hashes, and both know it", async () => {
	const [first, second] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
	expect(first).not.toBe(second);
	expect(await verifyPassword(first, "correct horse")).toBe(true);
	expect(await verifyPassword(second, "correct horse")).toBe(true);
});

test.each(["Correct horse", " correct horse", "correct horse ", "correct hors", "", "correct\u00a0horse"])(
	"'%s' is not 'correct horse': spaces and case are kept exactly",
	async (password) => {
		expect(await verifyPassword(cheapHash("correct horse"), password)).toBe(false);
	},
);

test("a hash made with other parameters still knows its password", async () => {
	expect(await verifyPassword(cheapHash("correct horse"), "correct horse")).toBe(true);
});

test("every password opens its own hash", async () => {
	const passwords = fc.string({ unit: "grapheme", maxLength: 128 });
	await fc.assert(
		fc.asyncProperty(passwords, async (password) => {
			expect(await verifyPassword(cheapHash(password), password)).toBe(true);
		}),
	);
});

test("without an account the password is hashed all the same, and is wrong", async () => {
	expect(await verifyPassword(null, "correct horse")).toBe(false);
	expect(hashes.started).toBe(1);
});

/** Like hashPassword, with parameters that cost next to nothing. */
function cheapHash(password: string): string {
	const salt = Buffer.from("sixteen bytes ok");
	const key = scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });
	return `scrypt$2$1$1$${salt.toString("base64url")}$${key.toString("base64url")}`;
}
