import { createHmac, timingSafeEqual } from "node:crypto";
import type { StripeAccount } from "#app/services.server.ts";

// Create returns a signature of the PaymentIntent. The browser sends it back, and the server need not retrieve the
// PaymentIntent.

/** The parts of a PaymentIntent that never change. */
interface Signed {
	/** Cents. */
	amount: number;
	/** Unix seconds. */
	created: number;
}

/** Returns "1196-1763650000-…": the amount, the time, and a hash of both and the client secret. */
export function sign(account: StripeAccount, clientSecret: string, { amount, created }: Signed): string {
	const hash = createHmac("sha256", account.secretKey).update(`payment ${clientSecret} ${amount} ${created}`);
	return `${amount}-${created}-${hash.digest("base64url")}`;
}

/** Returns a keyed hash of a network address, so that the database can count addresses without storing them. */
export function hashAddress(account: StripeAccount, address: string): string {
	return createHmac("sha256", account.secretKey).update(`address ${address}`).digest("base64url").slice(0, 16);
}

/** Returns what a signature proves, or null if it is not valid for this client secret. */
export function readSignature(account: StripeAccount, clientSecret: string, signature: string): Signed | null {
	const [, amount, created] = /^(\d{1,8})-(\d{1,10})-/.exec(signature) ?? [];
	const signed = { amount: Number(amount), created: Number(created) };
	return sameText(sign(account, clientSecret, signed), signature) ? signed : null;
}

/** Compares two secrets in constant time. */
export function sameText(a: string, b: string): boolean {
	const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
	return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
