import type Stripe from "stripe";
import { newId } from "./ids.ts";
import type { KeptPaymentMethod } from "./payment-method.ts";

/** The brands as tokens name them. */
const brandNames: Readonly<Record<string, string>> = {
	amex: "American Express",
	diners: "Diners Club",
	discover: "Discover",
	jcb: "JCB",
	mastercard: "MasterCard",
	unionpay: "UnionPay",
	visa: "Visa",
};

/** Creates a single-use card token. The card is checked when it is used. `now` is in Unix seconds. `currency` is the
 *  card's own currency, if it was sent. */
export function newToken({ outcome, paymentMethod }: KeptPaymentMethod, now: number, currency?: string) {
	const { billing_details, card } = paymentMethod;
	const { address, name } = billing_details;
	const check = (isGiven: boolean) => (isGiven ? "unchecked" : null);
	if (!card) throw new Error("A token needs a payment method with a card.");
	return {
		id: newId("tok_"),
		object: "token",
		card: {
			id: newId("card_"),
			object: "card",
			address_city: address?.city ?? null,
			address_country: address?.country ?? null,
			address_line1: address?.line1 ?? null,
			address_line1_check: check(Boolean(address?.line1)),
			address_line2: address?.line2 ?? null,
			address_state: address?.state ?? null,
			address_zip: address?.postal_code ?? null,
			address_zip_check: check(Boolean(address?.postal_code)),
			allow_redisplay: "unspecified",
			brand: brandNames[card.brand] ?? "Unknown",
			country: card.country,
			...(currency !== undefined && { currency }),
			cvc_check: check(outcome.cvcCheck !== null),
			dynamic_last4: null,
			exp_month: card.exp_month,
			exp_year: card.exp_year,
			fingerprint: card.fingerprint ?? null,
			funding: card.funding,
			last4: card.last4,
			metadata: {},
			name,
			networks: { preferred: null },
			regulated_status: null,
			tokenization_method: null,
		},
		client_ip: null,
		created: now,
		livemode: false,
		type: "card",
		used: false,
	} satisfies Stripe.Token;
}
