import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from "@oslojs/encoding";
import type { PasswordCost } from "#app/services.server.ts";
import commonPasswordList from "./common-passwords.txt?raw";

// The scrypt parameters that OWASP recommends for 16 MB of memory (N = 2^14, r = 8, p = 5); stronger ones need more of
// an isolate's 128 MB. Native scrypt takes about 110 ms. Lucia's scrypt is written in JavaScript and is many times
// slower.
export const passwordCost: PasswordCost = { N: 2 ** 14, r: 8, p: 5 };
const keyBytes = 32;

// Search one string, because a Set would take megabytes of memory in each isolate.
const commonPasswords = `\n${commonPasswordList}`;
// the digits and the alphabet are repeated, so that every sequence of up to 128 characters is found
const sequences = ["0123456789".repeat(14), "abcdefghijklmnopqrstuvwxyz".repeat(6), "qwertyuiopasdfghjklzxcvbnm"];
const patterns = sequences.flatMap((sequence) => [sequence, [...sequence].reverse().join("")]);
const obvious =
	/^\d*(aa|ab|abcd?|admin|asd|azerty|demo|guest|halfdozen|lol|login|pass|password|qwer|qwerty|test|user|welcome)\d*$/;

/** Returns why a new password is rejected, or null if it is accepted. All characters are allowed, including spaces. */
export function checkPassword(password: string, email: string): string | null {
	const { length } = [...password];
	if (length < 8) return "Your password needs at least 8 characters.";
	if (length > 128) return "Your password can have at most 128 characters.";
	const weakness = findWeakness(fold(password), fold(email));
	return weakness && `This password is ${weakness}. Choose another.`;
}

/** Returns what makes a password easy to guess, or null. Also finds a common word surrounded by digits or
 *  punctuation. */
function findWeakness(password: string, email: string): string | null {
	const bare = strip(password);
	const letters = bare.replace(/\d/g, "");
	const [name = ""] = email.split("@");
	if ([password, bare, letters].some((spelling) => commonPasswords.includes(`\n${spelling}\n`))) return "too common";
	if (patterns.some((pattern) => pattern.includes(password)) || repeats(password)) return "too simple";
	if (obvious.test(bare)) return "too easy to guess";
	return bare && [strip(email), strip(name)].includes(bare) ? "the same as your email" : null;
}

const fold = (text: string) => text.normalize("NFKC").toLowerCase().trim();
const strip = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");

/** Returns whether the text consists of one repeated sequence of up to five characters. */
const repeats = (text: string) => [1, 2, 3, 4, 5].some((length) => text.startsWith(text.slice(length)));

// A hash blocks the isolate: call these functions in the queue (hash-queue.server.ts).

/** Returns `scrypt$N$r$p$salt$key`, with salt and key in base64url. The hash contains its parameters, so that new
 *  hashes can use stronger ones while existing hashes still work. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
	const salt = crypto.getRandomValues(new Uint8Array(16));
	const key = await derive(password, salt, cost);
	return ["scrypt", cost.N, cost.r, cost.p, encodeBase64urlNoPadding(salt), encodeBase64urlNoPadding(key)].join("$");
}

/** Returns whether the password matches the hash. Pass null if the account does not exist: the work is the same as for a
 *  hash with this cost, so that the response time does not reveal who has an account. */
export async function verifyPassword(hash: string | null, password: string, cost: PasswordCost): Promise<boolean> {
	const noOnesHash = ["scrypt", cost.N, cost.r, cost.p, "A".repeat(22), "A".repeat(43)].join("$");
	const [, N, r, p, salt = "", key = ""] = (hash ?? noOnesHash).split("$");
	const expected = decodeBase64urlIgnorePadding(key);
	const actual = await derive(password, decodeBase64urlIgnorePadding(salt), {
		N: Number(N),
		r: Number(r),
		p: Number(p),
	});
	return timingSafeEqual(actual, expected) && hash !== null;
}

function derive(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		scrypt(password, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
	});
}
