import type {
	CreatePaymentMethodCardData,
	CreatePaymentMethodFromElement,
	CreatePaymentMethodFromElements,
	PaymentMethod,
	PaymentMethodResult,
	Token,
	TokenResult,
} from "@stripe/stripe-js";
import { deliverCard } from "./card-source.ts";
import { deliverElements, requireElements } from "./confirm-elements.ts";
import { formOf, methodShape, tokenShape } from "./form.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Result } from "./messages.ts";
import { post } from "./payment-api.ts";

type Source = CreatePaymentMethodCardData | CreatePaymentMethodFromElements | CreatePaymentMethodFromElement;

/** Creates a payment method from a card Element, a token, or a group with a Payment Element. Resolves to the payment
 *  method or to `{ error }`. Rejects with an IntegrationError for incorrect use. */
export async function createPaymentMethod(key: string, source: Source): Promise<PaymentMethodResult> {
	const { done, error } = await (isCardData(source) ? fromCard(key, source) : fromElements(key, source));
	return error ? { error } : { paymentMethod: done };
}

function isCardData(source: Source): source is CreatePaymentMethodCardData {
	return !("elements" in source || "element" in source);
}

async function fromCard(
	key: string,
	{ type, card, ...rest }: CreatePaymentMethodCardData,
): Promise<Result<PaymentMethod>> {
	if (type !== "card") throw new IntegrationError("The Stripe emulator supports payment methods of type card only.");
	const form = { ...formOf(rest, methodShape), key, type };
	if (!(card && "token" in card)) return deliverCard(card, "payment_methods", form);
	return post("payment_methods", { ...form, "card[token]": card.token });
}

async function fromElements(
	key: string,
	{ params = {}, metadata, ...source }: CreatePaymentMethodFromElements | CreatePaymentMethodFromElement,
): Promise<Result<PaymentMethod>> {
	const form = { ...formOf({ ...params, ...(metadata && { metadata }) }, methodShape), key };
	if ("element" in source) return deliverCard(source.element, "payment_methods", { ...form, type: "card" });
	const { elements } = source;
	requireElements(elements);
	if (!elements.createsPaymentMethods) {
		throw new IntegrationError(
			'createPaymentMethod({ elements }) needs elements({ paymentMethodCreation: "manual" }).',
		);
	}
	return deliverElements("createPaymentMethod()", elements, "payment_methods", form, params.billing_details?.address);
}

/** Creates a single-use token from a card Element, with the cardholder's name and address in `data`. Resolves to the
 *  token or to `{ error }`. */
export async function createToken(key: string, card: unknown, data: object = {}): Promise<TokenResult> {
	const { done, error } = await deliverCard<Token>(card, "tokens", { ...formOf(data, tokenShape, "card"), key });
	return error ? { error } : { token: done };
}
