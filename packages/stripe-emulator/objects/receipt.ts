import type Stripe from "stripe";

/** What a charge's receipt shows. Amounts are in minor units. */
export type Receipt = ReturnType<typeof receiptOf>;

export function receiptOf(charge: Stripe.Charge) {
	const { id, amount_captured: amount, amount_refunded: refunded, created, currency, description } = charge;
	const { brand = null, last4 = null } = charge.payment_method_details?.card ?? {};
	return { id, amount, refunded, brand, created, currency, description, last4 };
}
