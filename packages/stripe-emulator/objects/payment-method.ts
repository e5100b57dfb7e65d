import type Stripe from "stripe";
import { ApiError, docUrl } from "../errors.ts";
import { brandOf, cvcLength, hasCheckDigit, isWholeCvc } from "./card-number.ts";
import { findCard, type Outcome, outcomeOf } from "./cards.ts";
import { newId } from "./ids.ts";

/** Card data as sent by a browser. The number and security code are never stored. */
export interface CardDetails {
	number: string;
	expMonth: number;
	expYear: number;
	cvc: string | undefined;
}

export type Billing = Pick<Stripe.PaymentMethod.BillingDetails, "address" | "email" | "name" | "phone">;

const noBilling: Billing = { address: null, email: null, name: null, phone: null };

/** A stored payment method, with the outcome of its charges in place of the card number. */
export interface KeptPaymentMethod {
	paymentMethod: Stripe.PaymentMethod;
	outcome: Outcome;
}

/** Creates a payment method from card data. `now` is in Unix seconds. Throws a 402 ApiError for an invalid number,
 *  expiry or security code. */
export function newPaymentMethod(card: CardDetails, now: number, billing = noBilling): KeptPaymentMethod {
	const number = card.number.replaceAll(/[\s-]/g, "");
	if (!/^\d{12,19}$/.test(number) || !hasCheckDigit(number)) {
		throw cardError("incorrect_number", "Your card number is incorrect.", "number");
	}
	const today = new Date(now * 1000);
	const year = card.expYear < 100 ? card.expYear + 2000 : card.expYear;
	if (card.expMonth < 1 || card.expMonth > 12) {
		throw cardError("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month");
	}
	if (year < today.getUTCFullYear() || year > today.getUTCFullYear() + 50) {
		throw cardError("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year");
	}
	if (year === today.getUTCFullYear() && card.expMonth < today.getUTCMonth() + 1) {
		throw cardError("expired_card", "Your card has expired.", "exp_month");
	}
	if (card.cvc !== undefined && !(/^\d+$/.test(card.cvc) && isWholeCvc(card.cvc, number))) {
		throw cardError("invalid_cvc", "Your card's security code is invalid.", "cvc");
	}
	const brand = brandOf(number);
	const checks = { address_line1_check: null, address_postal_code_check: null, cvc_check: null };
	const outcome = outcomeOf(number, card.cvc !== undefined);
	return {
		outcome: card.cvc === undefined ? { ...outcome, cvcCheck: null } : outcome,
		paymentMethod: {
			id: newId("pm_"),
			object: "payment_method",
			billing_details: { ...billing, tax_id: null },
			card: {
				brand,
				checks,
				country: "US",
				display_brand: brand,
				exp_month: card.expMonth,
				exp_year: year,
				funding: findCard(number)?.funding ?? "credit",
				generated_from: null,
				last4: number.slice(-4),
				networks: { available: [brand], preferred: null },
				regulated_status: null,
				three_d_secure_usage: { supported: brand !== "amex" },
				wallet: null,
			},
			created: now,
			customer: null,
			customer_account: null,
			livemode: false,
			metadata: {},
			type: "card",
		} satisfies Stripe.PaymentMethod,
	};
}

/** Creates a payment method for a shared test id such as `pm_card_visa`. Returns undefined for any other id. */
export function sharedPaymentMethod(id: string, now: number): KeptPaymentMethod | undefined {
	const number = id.startsWith("pm_") ? findCard(id)?.number : undefined;
	if (number === undefined) return undefined;
	const expYear = new Date(now * 1000).getUTCFullYear() + 1;
	const cvc = "1".repeat(cvcLength(number));
	return newPaymentMethod({ number, cvc, expMonth: 12, expYear }, now);
}

function cardError(code: string, message: string, param: string): ApiError {
	return new ApiError(402, { type: "card_error", code, doc_url: docUrl(code), message, param });
}
