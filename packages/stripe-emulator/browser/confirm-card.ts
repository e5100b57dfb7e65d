import type {
	ConfirmCardPaymentData,
	ConfirmCardPaymentOptions,
	PaymentIntent,
	PaymentIntentResult,
} from "@stripe/stripe-js";
import { billingShape, confirmationShape, formOf } from "./form.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Result } from "./messages.ts";
import { requireId, takeNextAction } from "./next-action.ts";
import { post } from "./payment-api.ts";
import { StripeElement } from "./stripe-element.ts";

type Method = ConfirmCardPaymentData["payment_method"];

/** Confirms the intent and handles 3-D Secure if required. Resolves to the intent, or to `{ error }` for a decline or
 *  an incomplete field. With `handleActions: false`, resolves without handling the next action. Rejects with an
 *  IntegrationError for incorrect use. */
export async function confirmCardPayment(
	key: string,
	clientSecret: string,
	{ payment_method: method, ...data }: ConfirmCardPaymentData = {},
	{ handleActions = true }: ConfirmCardPaymentOptions = {},
): Promise<PaymentIntentResult> {
	const path = `payment_intents/${requireId(clientSecret)}/confirm`;
	const form = { ...formOf(data, confirmationShape), key, client_secret: clientSecret, use_stripe_sdk: "true" };
	const { done, error } = await confirm(path, form, method);
	if (error) return { error };
	return handleActions ? takeNextAction(key, done) : { paymentIntent: done };
}

async function confirm(path: string, form: Record<string, string>, method: Method): Promise<Result<PaymentIntent>> {
	if (typeof method !== "object" || method === null) {
		return post(path, method ? { ...form, payment_method: method } : form);
	}
	const { card, billing_details: billing, ...rest } = method;
	formOf(rest, { type: "text" });
	const described = {
		...form,
		"payment_method_data[type]": "card",
		...formOf(billing ?? {}, billingShape, "payment_method_data[billing_details]"),
	};
	if (card instanceof StripeElement) return card.confirm(described);
	throw new IntegrationError("payment_method.card must be the card Element that this page has mounted.");
}
