import * as z from "zod/mini";
import { currency } from "#app/brand.ts";
import { errorResponse } from "#app/http/error-response.server.ts";
import { clientSecretPattern, maxSignatureLength } from "#app/tab/client-secret.ts";
import { maxItems } from "#drizzle/limits.ts";

// Requests and responses of /payments/*. checkout/payment-requests.ts imports their types.

const clientSecret = z.string().check(z.regex(clientSecretPattern));
const signature = z._default(z.string().check(z.maxLength(maxSignatureLength)), "");
const id = z.string().check(z.maxLength(40));

/** The response of POST /payments/create?total=cents. A tab sends the currency of its prices in the `currency` header, and
 *  the client secret of its PaymentIntent, if any, in the `previous-client-secret` header. */
export interface Created {
	clientSecret: string;
	/** Proves the client secret and the amount: place need not retrieve the PaymentIntent, nor fulfill if it is paid. */
	signature: string;
}

/** The request body of POST /payments/place. On success, the response is `{ status: "placed" }`. */
export const placeShape = z.object({
	clientSecret,
	signature,
	productIds: z.array(id).check(z.minLength(1), z.maxLength(maxItems)),
	/** The currency of the prices on the page. */
	currency: z._default(z.string().check(z.maxLength(3)), currency),
	/** The id of the customer shown on the page, or null for a guest. */
	customer: z.nullable(id),
});
export type PlaceRequest = z.input<typeof placeShape>;

/** The request body of POST /payments/fulfill and /payments/outcome. */
export const fulfillShape = z.object({
	clientSecret,
	signature,
	/** Whether to cancel the payment if it is still unpaid. */
	cancel: z.optional(z.boolean()),
});
export type FulfillRequest = z.input<typeof fulfillShape>;

/** The status and the message of each error. To those of create and place, the tab adds that nothing was charged. */
const errors = {
	total_invalid: [400, "The total must be a price in cents that this shop can charge."],
	// the tab's previous PaymentIntent has been paid, or its payment is in progress
	payment_in_progress: [409, "Your payment is already in progress."],
	unavailable: [503, "The payment could not be prepared."],
	// the customer shown on the page is not the session's customer
	identity_changed: [409, "Your sign-in has changed, so this order was not placed."],
	// the page or its PaymentIntent is from before the shop changed its currency
	currency_changed: [409, "Our prices are in another currency now."],
	price_changed: [409, "A price has changed."],
	unknown_product: [400, "One of these products is not in the catalog."],
	unknown_payment_intent: [404, "This payment no longer exists."],
	payment_intent_gone: [409, "This payment has expired. Please try again."],
	already_paid: [409, "This basket has already been paid for."],
	// the PaymentIntent has an order of another owner, or with other items
	another_order: [409, "This payment already has another order."],
	// D1 or Stripe failed before the card could be charged
	not_charged: [503, "We can't take payments right now."],
	// nothing was charged
	canceled: [409, "This payment was canceled."],
	// nothing has been charged yet, but the payment can still succeed
	not_paid: [409, "This payment is not paid so far."],
} as const;
export type PaymentErrorCode = keyof typeof errors;

interface ErrorDetails {
	/** Set for price_changed: prices in cents by product id. Requested products without a price are sold out or withdrawn. */
	prices?: Record<string, number>;
	/** Set for not_paid: the PaymentIntent's status at Stripe. */
	intentStatus?: string | undefined;
}

export function paymentError(code: PaymentErrorCode, details: ErrorDetails = {}): Response {
	const [status, message] = errors[code];
	return errorResponse(status, code, message, { ...details });
}
