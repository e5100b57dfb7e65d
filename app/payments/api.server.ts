import * as z from "zod/mini";
import { currency } from "#app/brand.ts";
import { errorResponse } from "#app/http/error-response.server.ts";
import { maxBasketItems } from "#app/tab/basket.ts";
import { clientSecretPattern, maxSignatureLength } from "#app/tab/client-secret.ts";

// Requests and responses of /payments/*. checkout/purchase-work.ts imports their types.

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
	productIds: z.array(id).check(z.minLength(1), z.maxLength(maxBasketItems)),
	/** The currency of the prices on the page. */
	currency: z._default(z.string().check(z.maxLength(3)), currency),
	/** The id of the customer shown on the page, or null for a guest. */
	customer: z.nullable(id),
});
export type PlaceRequest = z.input<typeof placeShape>;

/** The request body of POST /payments/fulfill. */
export const fulfillShape = z.object({
	clientSecret,
	signature,
	/** Whether to cancel the payment if it is still unpaid. */
	cancel: z.optional(z.boolean()),
});
export type FulfillRequest = z.input<typeof fulfillShape>;

/** The body of an error response. To the `message` of create and place, the tab adds that nothing was charged. */
interface PaymentError {
	error: { code: PaymentErrorCode; message: string };
	/** Set for price_changed: prices in cents by product id. Requested products without a price are no longer sold. */
	prices?: Record<string, number>;
	/** Set for not_paid: the PaymentIntent's status at Stripe. */
	intentStatus?: string | undefined;
}

/** Why an order was not placed, with the status and the message of the response. */
const placeRefusals = {
	// the customer shown on the page is not the session's customer
	identity_changed: [409, "Your sign-in has changed, so this order was not placed."],
	// the page or its PaymentIntent is from before the shop changed its currency
	currency_changed: [409, "Our prices are in another currency now."],
	unknown_product: [400, "One of these products is not in the catalog."],
	unknown_payment_intent: [404, "This payment no longer exists."],
	payment_intent_gone: [409, "This payment has expired. Please try again."],
	already_paid: [409, "This basket has already been paid for."],
	// the PaymentIntent has an order of another owner, or with other items
	another_order: [409, "This payment already has another order."],
} as const;
export type PlaceRefusal = keyof typeof placeRefusals;

type PaymentErrorCode =
	| PlaceRefusal
	| "total_invalid"
	/** The tab's previous PaymentIntent has been paid, or its payment is in progress. */
	| "payment_in_progress"
	| "price_changed"
	/** The payment was canceled, and nothing was charged. */
	| "canceled"
	/** Nothing has been charged yet, but the payment can still succeed. */
	| "not_paid"
	/** D1 or Stripe failed before the card could be charged. */
	| "not_charged"
	| "unavailable";

/** Returns the error response of an order that is not placed. */
export function refuse(code: PlaceRefusal): Response {
	const [status, message] = placeRefusals[code];
	return paymentError(status, code, message);
}

export function paymentError(
	status: number,
	code: PaymentErrorCode,
	message: string,
	more: Omit<PaymentError, "error"> = {},
): Response {
	return errorResponse(status, code, message, { ...more });
}
