import { type BinaryLike, type ScryptOptions, scryptSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeEach, expect, test, vi } from "vitest";
import { checkPassword, hashPassword, normalizePassword, passwordCost, verifyPassword } from "./password.server.ts";

/** Counts the calls to Node's scrypt. */
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

const tooShort = "Your password needs at least 8 characters.";
const tooLong = "Your password can have at most 128 characters.";
const common = "This password is too common. Choose another.";

test.each([
	["7 characters", "kq7!xz2", tooShort],
	["7 emoji", "🦆".repeat(7), tooShort],
	["129 characters", "kq7!xz2 v".repeat(15).slice(0, 129), tooLong],
	["a common word", "password", common],
	["a common word in mixed case", "PassWord", common],
	["a common word in full width", "Ｐassword1", common],
	["a common word between spaces", " password ", common],
])("a new password of %s is rejected with the reason", (_, password, reason) => {
	expect(checkPassword(password)).toBe(reason);
});

test.each([
	["8 characters", "kq7!xz2v"],
	["128 characters", "kq7!xz2v".repeat(16)],
	["128 emoji", "🦆🦢🦉🐧🐦🦅🦩🐓".repeat(16)],
	["spaces", "        "],
	["a common word and another word", "password kettle"],
])("a new password of %s is accepted", (_, password) => {
	expect(checkPassword(password)).toBeNull();
});

test.each([
	["accents", "caf\u00e9 au lait"],
	["Hangul", "\ube44\ubc00\ubc88\ud638\uc785\ub2c8\ub2e4\ub9cc"],
	["Vietnamese letters", "m\u1eadt kh\u1ea9u c\u1ee7a t\u00f4i"],
	["128 letters with the longest decomposition", "\u{16126}".repeat(128)],
])("normalizePassword returns the same for composed and decomposed %s", (_, text) => {
	const forms = ["NFC", "NFD"].map((form) => normalizePassword(text.normalize(form)));
	expect(forms).toEqual([text.normalize("NFC"), text.normalize("NFC")]);
});

test("normalizePassword replaces each kind of space with U+0020, and keeps case and width", () => {
	expect(normalizePassword("One\u00a0two\u3000three\u2003ｆour")).toBe("One two three ｆour");
});

test("normalizePassword returns a text of more than 1,000 code units as it is, because normalizing it takes long", () => {
	expect(normalizePassword("e\u0301".repeat(501))).toBe("e\u0301".repeat(501));
});

test("the 12,078 common passwords all meet the length rules and are rejected", () => {
	const list = readFileSync("app/auth/common-passwords.txt", "utf8").trimEnd().split("\n");
	expect(list).toHaveLength(12_078);
	expect(list).toEqual([...new Set(list)].sort());
	expect(list.filter((password) => !/^[!-~][ -~]{6,126}[!-~]$/.test(password))).toEqual([]);
	// every tenth, because each check scans the whole list
	const some = list.filter((_, index) => index % 10 === 9);
	expect(some.filter((password) => checkPassword(password) !== common)).toEqual([]);
});

test("hashPassword returns its parameters, a 16-byte salt and a 32-byte scrypt key", async () => {
	const hash = await hashPassword("correct horse", passwordCost);
	expect(hash).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
	const [, , , , salt = "", key = ""] = hash.split("$");
	const expected = scryptSync("correct horse", Buffer.from(salt, "base64url"), 32, { N: 16384, r: 8, p: 5 });
	expect(key).toBe(expected.toString("base64url"));
});

test("hashing a password twice returns two different hashes, and both verify the password", async () => {
	const hashTwice = [1, 2].map(() => hashPassword("correct horse", passwordCost));
	const [first = "", second = ""] = await Promise.all(hashTwice);
	expect(first).not.toBe(second);
	expect(await verifyPassword(first, "correct horse", passwordCost)).toBe(true);
	expect(await verifyPassword(second, "correct horse", passwordCost)).toBe(true);
});

test.each(["Correct horse", "correct horse ", "correct hors", "correct\u00a0horse"])(
	"verifyPassword returns false for '%s' and the hash of 'correct horse'",
	async (password) => {
		expect(await verifyPassword(cheapHash("correct horse"), password, passwordCost)).toBe(false);
	},
);

test("a hash with other parameters still verifies its password", async () => {
	expect(await verifyPassword(cheapHash("correct horse"), "correct horse", passwordCost)).toBe(true);
});

test("verifyPassword without a stored hash still hashes the password and returns false", async () => {
	expect(await verifyPassword(null, "correct horse", passwordCost)).toBe(false);
	expect(hashes.started).toBe(1);
});

/** Hashes a password like hashPassword, but with the cheapest parameters. */
function cheapHash(password: string): string {
	const salt = Buffer.from("sixteen bytes ok");
	const key = scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });
	return `scrypt$2$1$1$${salt.toString("base64url")}$${key.toString("base64url")}`;
}
