import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from "@oslojs/encoding";
import commonPasswordList from "./common-passwords.txt?raw";
import { maxPasswordLength, minPasswordLength } from "./password-length.ts";

// What OWASP recommends for 16 MB of memory, of an isolate's 128. Lucia's scrypt, in JavaScript, is many times slower.
export const passwordCost = { N: 2 ** 14, r: 8, p: 5 };
type Cost = typeof passwordCost;
const keyBytes = 32;

// Search one string, because a Set would take megabytes of memory in each isolate.
const commonPasswords = `\n${commonPasswordList}`;

/** Returns the form in which a password is checked and hashed, so that every keyboard produces the same one: with U+0020
 *  for every kind of space, in NFC (OpaqueString, https://www.rfc-editor.org/rfc/rfc8265#section-4.2). */
export function normalizePassword(typed: string): string {
	// normalize() takes time quadratic in the length, and 128 characters have at most 768 code units in any form
	return typed.length > 1000 ? typed : typed.replace(/\p{Zs}/gu, " ").normalize("NFC");
}

/** Returns why a new password is rejected, or null if it is accepted. All characters are allowed, including spaces. */
export function checkPassword(password: string): string | null {
	const { length } = [...password];
	if (length < minPasswordLength) return `Your password needs at least ${minPasswordLength} characters.`;
	if (length > maxPasswordLength) return `Your password can have at most ${maxPasswordLength} characters.`;
	const folded = password.normalize("NFKC").toLowerCase().trim();
	return commonPasswords.includes(`\n${folded}\n`) ? "This password is too common. Choose another." : null;
}

// A hash blocks the isolate: call these functions in the queue (hash-queue.server.ts).

/** Returns `scrypt$N$r$p$salt$key`, with salt and key in base64url. The hash contains its parameters, so that new
 *  hashes can use stronger ones while existing hashes still work. */
export async function hashPassword(password: string, cost: Cost): Promise<string> {
	const salt = crypto.getRandomValues(new Uint8Array(16));
	const key = await derive(password, salt, cost);
	return ["scrypt", cost.N, cost.r, cost.p, encodeBase64urlNoPadding(salt), encodeBase64urlNoPadding(key)].join("$");
}

/** Returns whether the password matches the hash. Pass null if the account does not exist: the work is the same as for
 *  a hash with this cost, so that the response time does not reveal who has an account. */
export async function verifyPassword(hash: string | null, password: string, cost: Cost): Promise<boolean> {
	const noOnesHash = ["scrypt", cost.N, cost.r, cost.p, "A".repeat(22), "A".repeat(43)].join("$");
	const [, N, r, p, salt = "", key = ""] = (hash ?? noOnesHash).split("$");
	const expected = decodeBase64urlIgnorePadding(key);
	const options = { N: Number(N), r: Number(r), p: Number(p) };
	const actual = await derive(password, decodeBase64urlIgnorePadding(salt), options);
	return timingSafeEqual(actual, expected) && hash !== null;
}

function derive(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		scrypt(password, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
	});
}
