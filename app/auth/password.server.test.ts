import { type BinaryLike, type ScryptOptions, scryptSync } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { checkPassword, hashPassword, passwordCost, verifyPassword } from "./password.server.ts";

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

const email = "ada.lovelace@example.com";
const tooShort = "Your password needs at least 8 characters.";
const tooLong = "Your password can have at most 128 characters.";
const common = "This password is too common. Choose another.";
const pattern = "This password is too simple. Choose another.";
const obvious = "This password is too easy to guess. Choose another.";
const ownEmail = "This password is the same as your email. Choose another.";

test.each([
	["no characters", "", tooShort],
	["7 characters", "kq7!xz2", tooShort],
	["7 emoji", "🦆".repeat(7), tooShort],
	["129 characters", "kq7!xz2 v".repeat(15).slice(0, 129), tooLong],
	["10,000 characters", "k".repeat(10_000), tooLong],
	["a common word", "password", common],
	["a common word in mixed case", "PassWord", common],
	["a common word in full width", "Ｐassword1", common],
	["a common word between spaces", " password ", common],
	["a common word with punctuation", "pass-word!", common],
	["descending digits", "87654321", common],
	["24 ascending digits", "345678901234567890123456", pattern],
	["ascending letters", "ABCDEFGH", common],
	["ascending letters from the middle of the alphabet", "ijklmnopq", pattern],
	["descending letters", "zyxwvutsr", pattern],
	["neighboring keys", "WERTYUIOPA", pattern],
	["one repeated character", "&&&&&&&&", pattern],
	["one repeated full-width digit", "８８８８８８８８８８８８８８", pattern],
	["one repeated emoji", "🦆".repeat(128), pattern],
	["8 spaces", " ".repeat(8), pattern],
	["a letter and 7 spaces", "k       ", pattern],
	["two alternating characters", "k!".repeat(4), pattern],
	["a repeated word", "duckyduckyduck", pattern],
	["the shop's name", "Half Dozen", obvious],
	["the shop's name and a year", "half-dozen-2026!", obvious],
	["an account role and a year", "Admin#2026", obvious],
	["the email", "Ada.Lovelace@example.com", ownEmail],
	["the email's local part", "ADA.LOVELACE", ownEmail],
	["the email's local part without its punctuation", "ada lovelace", ownEmail],
])("a new password of %s is rejected with the reason", (_, password, reason) => {
	expect(checkPassword(password, email)).toBe(reason);
});

test.each([
	["8 characters", "kq7!xz2v"],
	["128 characters", "kq7!xz2v".repeat(16)],
	["128 emoji", "🦆🦢🦉🐧🐦🦅🦩🐓".repeat(16)],
	["punctuation", "!?.,;:-_"],
	["control characters", "\0\x02\x01\x05\x03\x04\x07\x06"],
	["a common word and another word", "password kettle"],
	["ascending digits with one exception", "123456788890"],
	["the shop's name and another word", "half dozen ducks"],
	["the email's local part and more", "ada lovelace 1815"],
])("a new password of %s is accepted", (_, password) => {
	expect(checkPassword(password, email)).toBeNull();
});

test("a password of only punctuation is accepted for an email whose local part is only punctuation", () => {
	expect(checkPassword("!?.,;:-_", "+@example.com")).toBeNull();
});

test("the 12,078 common passwords all meet the length rules and are rejected", () => {
	const list = readFileSync("app/auth/common-passwords.txt", "utf8").trimEnd().split("\n");
	expect(list).toHaveLength(12_078);
	expect(list).toEqual([...new Set(list)].sort());
	expect(list.filter((password) => !/^[!-~][ -~]{6,126}[!-~]$/.test(password))).toEqual([]);
	// every tenth, because each check scans the whole list
	const some = list.filter((_, index) => index % 10 === 9);
	expect(some.filter((password) => checkPassword(password, email) !== common)).toEqual([]);
});

// from the top of the 100,000 passwords that the UK's National Cyber Security Centre published in 2019
const published = `
123456789 password 12345678 password1 1234567890 iloveyou 1q2w3e4r5t qwertyuiop 1qaz2wsx myspace1 homelesspa 1q2w3e4r
qwerty123 target123 987654321 1g2w3e4r zag12wsx gwerty123 asdfghjkl 123123123 computer princess football sunshine
1234qwer iloveyou1 789456123 fuckyou1 princess1 11111111 passer2009 abcd1234 football1 superman jordan23 12qwaszx
baseball 123456789a FQRG7CS493 88888888 michael1 linkedin babygirl1 blink182 qwer1234 liverpool michelle j38ifUbn
q1w2e3r4 0123456789 iloveyou2 jennifer babygirl jessica1 147258369 fuckyou2 0987654321 anthony1 q1w2e3r4t5y6 baseball1
qazwsxedc 1111111111 basketball passw0rd trustno1 qwerty12 chocolate charlie1 pakistan samantha asdf1234 asshole1
superman1 fuk19600 butterfly 29rsavoy sunshine1 internet alexander 00000000 12341234 whatever qweasdzxc 1qazxsw2
password12 password2 hello123 3rJs1la7qE 12344321 VQsaBLPzLa brandon1 starwars jonathan cjmasterinf 1234567891
12345qwert q1w2e3r4t5 a123456789 christian 12345678910 DIOSESFIEL dpbk1234 PE#5GZ29PTZMSE mercedes victoria matthew1
123654789 benjamin elizabeth barcelona computer1 michelle1 william1 11223344 welcome1 zaq12wsx jasmine1 liverpool1
1qaz2wsx3edc metallica slipknot chicken1 87654321 0000000000 spiderman 147852369 butterfly1 tinkerbell danielle
nicholas qwerty12345 1234554321 asdfasdf pokemon1 123qweasd chelsea1 chocolate1 1234567a juventus 111222tianya america1
999999999 jennifer1 freedom1 741852963 qwertyui 1password cocacola a838hfiD 1234abcd myspace123 madison1 samantha1
elizabeth1 diamond1 mustang1 november valentina whatever1 password123 Password1 abcdefgh P@ssw0rd drowssap
`;

// from the 200 most common passwords of 2025
const recent = `
Aa123456 Pass@123 admin123 Aa@123456 admintelecom Admin@123 Abcd@1234 Pass@1234 admin@123 Aa112233 Password@123
Aboy1234 Demo@123 admin1234 guru123456 Welcome@123 Kapler123 administrator 1122334455 Test@123 Global123@ 10203040
India@123 Abcd@123 12345678a Aa123123 123456aA@ admin123456 12121212 abc12345 Abc@1234 admin12345 12345678900
12345678901 Heslo1234 22446688 vodafone bismillah user1234 1234512345 adminisp 1234567899 P@$$w0rd Aa12345678 adminadmin
gvt12345 minecraft aabb1122 theworldinyourhand a1b2c3d4 Abc@12345 Aa102030 Pass@12345 Aa@12345 111111111 lol123456
123456Aa Aa@1234567 Admin@1234 a12345678 aa112233 qwer4321 Qwerty@123 12345679 Ab123456 Abcd1234@ pakistan123 A123456a
qwerty1234 abc123456 turktelekom test1234 123456788 contraseña Password@1 qwerty123456 11112222 aaaa1111 azerty123
changeme 12345678@ P@55w0rd asd12345 zxcvbnm123 123admin
`;

const fullWidth = (text: string) =>
	text.replace(/[!-~]/g, (ascii) => String.fromCharCode(ascii.charCodeAt(0) + 0xfee0));

test.each([
	["as published", String],
	["in capitals", (text: string) => text.toUpperCase()],
	["in full width", fullWidth],
])("the top passwords of the NCSC's list are rejected %s", (_, spell) => {
	const passwords = published.trim().split(/\s+/);
	expect(passwords.length).toBeGreaterThan(150);
	expect(passwords.filter((password) => checkPassword(spell(password), email) === null)).toEqual([]);
});

test("the most common passwords of 2025 are rejected, except names, foreign words and leetspeak", () => {
	const accepted = recent
		.trim()
		.split(/\s+/)
		.filter((password) => checkPassword(password, email) === null);
	expect(accepted.join(" ")).toBe(
		"admintelecom Aboy1234 guru123456 Kapler123 Global123@ Heslo1234 adminisp gvt12345 theworldinyourhand A123456a turktelekom 123456788 contraseña P@55w0rd",
	);
});

test("hashPassword returns its parameters, a 16-byte salt and a 32-byte scrypt key", async () => {
	const hash = await hashPassword("correct horse", passwordCost);
	expect(hash).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
	const [, , , , salt = "", key = ""] = hash.split("$");
	const expected = scryptSync("correct horse", Buffer.from(salt, "base64url"), 32, { N: 16384, r: 8, p: 5 });
	expect(key).toBe(expected.toString("base64url"));
});

test("hashing a password twice returns two different hashes, and both verify the password", async () => {
	const [first, second] = await Promise.all([
		hashPassword("correct horse", passwordCost),
		hashPassword("correct horse", passwordCost),
	]);
	expect(first).not.toBe(second);
	expect(await verifyPassword(first, "correct horse", passwordCost)).toBe(true);
	expect(await verifyPassword(second, "correct horse", passwordCost)).toBe(true);
});

test.each(["Correct horse", " correct horse", "correct horse ", "correct hors", "", "correct\u00a0horse"])(
	"verifyPassword returns false for '%s' and the hash of 'correct horse'",
	async (password) => {
		expect(await verifyPassword(cheapHash("correct horse"), password, passwordCost)).toBe(false);
	},
);

test("a hash with other parameters still verifies its password", async () => {
	expect(await verifyPassword(cheapHash("correct horse"), "correct horse", passwordCost)).toBe(true);
});

test("every password matches its own hash", async () => {
	const passwords = fc.string({ unit: "grapheme", maxLength: 128 });
	await fc.assert(
		fc.asyncProperty(passwords, async (password) => {
			expect(await verifyPassword(cheapHash(password), password, passwordCost)).toBe(true);
		}),
	);
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
