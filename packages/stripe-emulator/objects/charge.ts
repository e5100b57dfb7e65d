import type Stripe from "stripe";
import { newId } from "./ids.ts";
import type { KeptPaymentMethod } from "./payment-method.ts";

/** Creates the charge of one payment attempt. `now` is in Unix seconds. */
export function newCharge(
	intent: Stripe.PaymentIntent,
	{ paymentMethod, outcome: { decline, cvcCheck } }: KeptPaymentMethod,
	now: number,
): Stripe.Charge {
	const { card, billing_details } = paymentMethod;
	return {
		id: newId("ch_"),
		object: "charge",
		amount: intent.amount,
		amount_captured: decline ? 0 : intent.amount,
		amount_refunded: 0,
		application: null,
		application_fee: null,
		application_fee_amount: null,
		balance_transaction: null,
		billing_details,
		calculated_statement_descriptor: null,
		captured: !decline,
		created: now,
		currency: intent.currency,
		customer: null,
		description: intent.description,
		disputed: false,
		failure_balance_transaction: null,
		failure_code: decline?.code ?? null,
		failure_message: decline?.message ?? null,
		fraud_details: {},
		livemode: false,
		metadata: intent.metadata,
		on_behalf_of: null,
		outcome: {
			advice_code: null,
			network_advice_code: null,
			network_decline_code: null,
			network_status: decline ? "declined_by_network" : "approved_by_network",
			reason: decline ? (decline.declineCode ?? decline.code) : null,
			risk_level: "normal",
			seller_message: decline ? "The bank did not return any further details with this decline." : "Payment complete.",
			type: decline ? "issuer_declined" : "authorized",
		},
		paid: !decline,
		payment_intent: intent.id,
		payment_method: paymentMethod.id,
		payment_method_details: {
			type: "card",
			card: {
				amount_authorized: decline ? null : intent.amount,
				authorization_code: null,
				brand: card?.brand ?? null,
				checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: cvcCheck },
				country: card?.country ?? null,
				electronic_commerce_indicator: null,
				exp_month: card?.exp_month ?? 0,
				exp_year: card?.exp_year ?? 0,
				funding: card?.funding ?? null,
				installments: null,
				last4: card?.last4 ?? null,
				mandate: null,
				network: card?.brand ?? null,
				network_transaction_id: null,
				regulated_status: null,
				three_d_secure: null,
				transaction_link_id: null,
				wallet: null,
			},
		},
		receipt_email: intent.receipt_email,
		receipt_number: null,
		receipt_url: null,
		refunded: false,
		review: null,
		shipping: intent.shipping,
		source: null,
		source_transfer: null,
		statement_descriptor: null,
		statement_descriptor_suffix: intent.statement_descriptor_suffix,
		status: decline ? "failed" : "succeeded",
		transfer_data: null,
		transfer_group: null,
	} satisfies Stripe.Charge;
}

/** Returns the charge with a total of `amount` cents refunded. */
export function refunded(charge: Stripe.Charge, amount: number): Stripe.Charge {
	return { ...charge, amount_refunded: amount, refunded: amount === charge.amount };
}
