import * as z from "zod/mini";
import { maxBasketItems } from "#app/basket/basket.ts";
import { errorResponse } from "#app/http/error-response.server.ts";

// The requests and responses of /payments/*. The browser imports their types (checkout/payments-client.ts).

/** An id and a secret, without characters that could change the path of a call to Stripe. */
export const clientSecretShape = z.string().check(z.maxLength(200), z.regex(/^pi_[A-Za-z0-9]+_secret_[A-Za-z0-9]+$/));
const signature = z._default(z.string().check(z.maxLength(100)), "");
const id = z.string().check(z.maxLength(40));

/** The response of POST /payments/create?total=cents. A tab that has a PaymentIntent already sends its client secret in the
 *  header `previous-client-secret`. */
export interface Created {
	clientSecret: string;
	/** Proves the amount to place and fulfill, which then need not retrieve the PaymentIntent. */
	signature: string;
}

/** The body of POST /payments/place. The response is `{ status: "placed" }`. */
export const placeShape = z.object({
	clientSecret: clientSecretShape,
	signature,
	/** Counts the place requests of this PaymentIntent, from 1. */
	attempt: z._default(z.int().check(z.gte(1), z.lte(1_000_000)), 1),
	productIds: z.array(id).check(z.minLength(1), z.maxLength(maxBasketItems)),
	/** The id of the customer that the page shows; null for a guest. */
	customer: z.nullable(id),
});
export type PlaceRequest = z.input<typeof placeShape>;

/** The body of POST /payments/fulfill. */
export const fulfillShape = z.object({
	clientSecret: clientSecretShape,
	signature,
	/** Whether to cancel the payment if it is still unpaid. */
	cancel: z.optional(z.boolean()),
});
export type FulfillRequest = z.input<typeof fulfillShape>;

export interface FulfillResponse {
	status: "paid" | "refunded" | "checking";
}

/** Every other response. */
export interface PaymentError {
	error: { code: PaymentErrorCode; message: string };
	/** With price_changed: cents by product id. A product without a price is no longer sold. */
	prices?: Record<string, number>;
	/** With not_paid: the PaymentIntent's status at Stripe. */
	intentStatus?: string | undefined;
}

export type PaymentErrorCode =
	| "total_invalid"
	/** The tab's earlier PaymentIntent is paid or being paid. */
	| "payment_in_progress"
	| "price_changed"
	/** The page shows another customer than the session's. */
	| "identity_changed"
	| "unknown_product"
	| "unknown_payment_intent"
	| "payment_intent_gone"
	| "already_paid"
	/** A newer attempt of the same tab has been placed. */
	| "superseded"
	/** The owner, or the address, has too many unpaid orders. */
	| "too_many_unpaid"
	/** The payment can no longer be paid, and nothing was charged. */
	| "canceled"
	/** The payment can still be paid, and nothing was charged so far. */
	| "not_paid"
	/** D1 or Stripe failed before the card could be charged. */
	| "not_charged"
	| "unavailable";

export function paymentError(
	status: number,
	code: PaymentErrorCode,
	message: string,
	more: Omit<PaymentError, "error"> = {},
): Response {
	return errorResponse(status, code, message, { ...more });
}

/** Returns the id of a client secret's PaymentIntent. */
export function paymentIntentIdOf(clientSecret: string): string {
	return clientSecret.split("_secret_")[0] ?? "";
}
