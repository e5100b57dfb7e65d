import type Stripe from "stripe";
import { newId } from "./ids.ts";

/** Creates a single-use card token. `now` is in Unix seconds. */
export function newToken({ card }: Stripe.PaymentMethod, now: number) {
	if (!card) throw new Error("A token needs a payment method with a card.");
	return {
		id: newId("tok_"),
		object: "token",
		card: {
			id: newId("card_"),
			object: "card",
			address_city: null,
			address_country: null,
			address_line1: null,
			address_line1_check: null,
			address_line2: null,
			address_state: null,
			address_zip: null,
			address_zip_check: null,
			allow_redisplay: "unspecified",
			brand: card.brand,
			country: card.country,
			cvc_check: null,
			dynamic_last4: null,
			exp_month: card.exp_month,
			exp_year: card.exp_year,
			funding: card.funding,
			last4: card.last4,
			metadata: {},
			name: null,
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
