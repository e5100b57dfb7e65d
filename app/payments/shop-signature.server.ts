import { createHmac, timingSafeEqual } from "node:crypto";
import type Stripe from "stripe";
import { currency } from "#app/brand.ts";
import type { StripeAccount } from "#app/http/services.server.ts";

// What the shop signs: a PaymentIntent, for the browser that pays it, so that the server need not retrieve it from
// Stripe; and the items in an order's copy in Stripe's metadata. Several shops may share a Stripe account, so a
// signature is valid for one shop only.

/** The fields of a PaymentIntent that never change. */
type Signed = Pick<Stripe.PaymentIntent, "amount" | "created" | "currency">;

/** Returns "1196-1763650000-…": the amount, the creation time, and an HMAC of both, the currency and the client secret. */
export function sign(account: StripeAccount, clientSecret: string, { amount, created, currency }: Signed): string {
	return `${amount}-${created}-${hmac(account, "payment", clientSecret, amount, created, currency)}`;
}

/** Returns the signed fields, or null if this shop has not signed them for this client secret in its currency. */
export function readSignature(account: StripeAccount, clientSecret: string, signature: string): Signed | null {
	const [, amount, created] = /^(\d{1,8})-(\d{1,10})-/.exec(signature) ?? [];
	const signed = { amount: Number(amount), created: Number(created), currency };
	return sameText(sign(account, clientSecret, signed), signature) ? signed : null;
}

export function signItems(account: StripeAccount, paymentIntentId: string, items: string): string {
	return hmac(account, "items", paymentIntentId, items);
}

function hmac({ signingKey, shopId }: StripeAccount, ...message: (string | number)[]): string {
	return createHmac("sha256", signingKey)
		.update(JSON.stringify([shopId, ...message]))
		.digest("base64url");
}

/** Compares two secrets in constant time. */
export function sameText(a: string, b: string): boolean {
	const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
	return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
