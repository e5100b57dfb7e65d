import { createHmac, timingSafeEqual } from "node:crypto";
import type { StripeAccount } from "#app/services.server.ts";

// POST /payments/create returns a signature of the PaymentIntent. The browser sends the signature with later requests,
// so that the server need not retrieve the PaymentIntent from Stripe.

/** The fields of a PaymentIntent that never change. */
interface Signed {
	/** Cents. */
	amount: number;
	/** Unix seconds. */
	created: number;
}

/** Returns "1196-1763650000-…": the amount, the creation time, and an HMAC of both and the client secret. */
export function sign(account: StripeAccount, clientSecret: string, { amount, created }: Signed): string {
	const hash = createHmac("sha256", account.secretKey).update(`payment ${clientSecret} ${amount} ${created}`);
	return `${amount}-${created}-${hash.digest("base64url")}`;
}

/** Returns a keyed hash of an IP address, so that D1 can count orders per address without storing addresses. */
export function hashAddress(account: StripeAccount, address: string): string {
	return createHmac("sha256", account.secretKey).update(`address ${address}`).digest("base64url").slice(0, 16);
}

/** Returns the signed fields, or null if the signature is not valid for this client secret. */
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
