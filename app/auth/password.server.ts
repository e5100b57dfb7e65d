import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from "@oslojs/encoding";
import commonPasswordList from "./common-passwords.txt?raw";

// OWASP's scrypt settings for 16 MB (2^14, 8, 5): an isolate has 128 MB, and stronger settings need more than that.
// Native scrypt takes about 110 ms here; Lucia's own is pure JavaScript and many times slower.
const cost = { N: 2 ** 14, r: 8, p: 5 };
const keyBytes = 32;
const commonPasswords = new Set(commonPasswordList.trimEnd().split("\n"));

/** Why a new password will not do, or null when it will. Any characters are welcome, spaces and case included. */
export function passwordProblem(password: string): string | null {
	const { length } = [...password];
	if (length < 8) return "The password must have at least 8 characters.";
	if (length > 128) return "The password may have at most 128 characters.";
	if (commonPasswords.has(password.toLowerCase())) {
		return "This password is one of the most common ones, and the first to be tried by thieves. Please choose another.";
	}
	return null;
}

// Hashing holds up everybody else in the isolate: do it in turn (turns.server.ts).

/** Turns a password into `scrypt$N$r$p$salt$key` (base64url), its own parameters included, so that they can be
 *  raised later without locking anyone out. */
export async function hashPassword(password: string): Promise<string> {
	const salt = crypto.getRandomValues(new Uint8Array(16));
	const key = await derive(password, salt, cost);
	return ["scrypt", cost.N, cost.r, cost.p, encodeBase64urlNoPadding(salt), encodeBase64urlNoPadding(key)].join("$");
}

/** Whether the password made that hash. Null stands for an account that does not exist: the work is done all the
 *  same, so that the time of the answer does not tell who has an account. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
	const [, N, r, p, salt = "", key = ""] = (hash ?? noOnesHash).split("$");
	const expected = decodeBase64urlIgnorePadding(key);
	const actual = await derive(password, decodeBase64urlIgnorePadding(salt), {
		N: Number(N),
		r: Number(r),
		p: Number(p),
	});
	return timingSafeEqual(actual, expected) && hash !== null;
}

const noOnesHash = `scrypt$${cost.N}$${cost.r}$${cost.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

function derive(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		scrypt(password, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
	});
}
