import type {
	CreatePaymentMethodCardData,
	PaymentMethod,
	PaymentMethodResult,
	Token,
	TokenResult,
} from "@stripe/stripe-js";
import { deliverCard } from "./card-source.ts";
import { billingShape, formOf } from "./form.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Result } from "./messages.ts";
import { post } from "./payment-api.ts";

/** Creates a payment method from a card Element or a token. Resolves to the payment method or to `{ error }`. Rejects
 *  with an IntegrationError for incorrect use. */
export async function createPaymentMethod(
	key: string,
	{ type, card, billing_details: billing, ...rest }: CreatePaymentMethodCardData,
): Promise<PaymentMethodResult> {
	if (type !== "card") throw new IntegrationError("The Stripe emulator supports payment methods of type card only.");
	const form = {
		...formOf(rest, {}),
		...formOf(billing ?? {}, billingShape, "billing_details"),
		key,
		type,
	};
	const { done, error } = await makeOf(card, form);
	return error ? { error } : { paymentMethod: done };
}

function makeOf(
	card: CreatePaymentMethodCardData["card"],
	form: Record<string, string>,
): Promise<Result<PaymentMethod>> {
	if (!(card && "token" in card)) return deliverCard(card, "payment_methods", form);
	return post("payment_methods", { ...form, "card[token]": card.token });
}

/** Creates a single-use token from a card Element. Resolves to the token or to `{ error }`. */
export async function createToken(key: string, card: unknown, data: object = {}): Promise<TokenResult> {
	const { done, error } = await deliverCard<Token>(card, "tokens", { ...formOf(data, {}), key });
	return error ? { error } : { token: done };
}
