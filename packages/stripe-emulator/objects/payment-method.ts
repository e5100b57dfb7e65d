import type Stripe from "stripe";
import { ApiError, docUrl } from "../api/errors.ts";
import { brandOf, cvcLength, hasCheckDigit, isWholeCvc } from "./card-number.ts";
import { cardOf, isTestCard, type Outcome, sharedIds, withCvc } from "./cards.ts";
import { newId } from "./ids.ts";

/** Card data as sent by a browser. The number and security code are never stored. */
export interface CardDetails {
	number: string;
	expMonth: number;
	expYear: number;
	cvc: string | undefined;
}

export type Billing = Pick<Stripe.PaymentMethod.BillingDetails, "address" | "email" | "name" | "phone">;

export const noAddress: Stripe.Address = {
	city: null,
	country: null,
	line1: null,
	line2: null,
	postal_code: null,
	state: null,
};

const nobody: Billing = { address: noAddress, email: null, name: null, phone: null };

/** The names that `display_brand` uses in place of a brand. */
const displayBrands: Readonly<Record<string, string>> = {
	amex: "american_express",
	diners: "diners_club",
	unionpay: "union_pay",
	unknown: "other",
};

/** A stored payment method, with the outcome of its charges in place of the card number. */
export interface KeptPaymentMethod {
	paymentMethod: Stripe.PaymentMethod;
	outcome: Outcome;
	/** Set after the first use without a customer. never: it cannot be used again. after_attaching: it was set up for
	 *  future payments, so it can be used again once it is attached to a customer. */
	reuse?: "never" | "after_attaching";
	/** Whether it was set up for off-session payments. */
	isSetUp?: boolean;
}

/** Creates a payment method from card data. `now` is in Unix seconds. Throws a 402 ApiError for an invalid number,
 *  expiry or security code. */
export function newPaymentMethod(card: CardDetails, now: number, billing = nobody): KeptPaymentMethod {
	const number = card.number.replaceAll(/[\s-]/g, "");
	if (!/^\d{12,19}$/.test(number) || !hasCheckDigit(number)) {
		throw cardError("incorrect_number", "Your card number is incorrect.", "number");
	}
	const expiry = checkedExpiry(card, now);
	if (card.cvc !== undefined && !(/^\d+$/.test(card.cvc) && isWholeCvc(card.cvc, number))) {
		throw cardError("invalid_cvc", "Your card's security code is invalid.", "cvc");
	}
	const brand = brandOf(number);
	const { coBrand, country, funding, outcome } = cardOf(number);
	return {
		outcome: withCvc(outcome, card.cvc !== undefined),
		paymentMethod: {
			id: newId("pm_"),
			object: "payment_method",
			billing_details: { ...billing, address: billing.address ?? noAddress, tax_id: null },
			card: {
				brand,
				checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: null },
				country,
				display_brand: displayBrands[brand] ?? brand,
				...expiry,
				fingerprint: fingerprintOf(number),
				funding,
				generated_from: null,
				last4: number.slice(-4),
				networks: { available: coBrand ? [brand, coBrand] : [brand], preferred: null },
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

/** Returns a card's expiry with a four-digit year. `now` is in Unix seconds. Throws a 402 ApiError for an invalid or
 *  past expiry. */
export function checkedExpiry({ expMonth, expYear }: Pick<CardDetails, "expMonth" | "expYear">, now: number) {
	const today = new Date(now * 1000);
	const year = expYear < 100 ? expYear + 2000 : expYear;
	if (expMonth < 1 || expMonth > 12) {
		throw cardError("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month");
	}
	if (year < today.getUTCFullYear() || year > today.getUTCFullYear() + 50) {
		throw cardError("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year");
	}
	if (year === today.getUTCFullYear() && expMonth < today.getUTCMonth() + 1) {
		throw cardError("expired_card", "Your card has expired.", "exp_month");
	}
	return { exp_month: expMonth, exp_year: year };
}

/** Returns the fingerprint of a test card. Returns null for any other number, because a hash of a number can be
 *  reversed by trying every number. */
function fingerprintOf(number: string): string | null {
	if (!isTestCard(number)) return null;
	const hash = BigInt.asUintN(80, BigInt(number) ** 5n * 0x9e3779b97f4a7c15n);
	return hash.toString(36).padStart(16, "0").slice(-16);
}

/** Creates a payment method for a shared test id such as `pm_card_visa`. Returns undefined for any other id. */
export function sharedPaymentMethod(id: string, now: number): KeptPaymentMethod | undefined {
	return id.startsWith("pm_card_") ? sharedCard(id, now) : undefined;
}

/** Creates the payment method of a shared token such as `tok_visa`. Returns undefined for any other id. */
export function sharedToken(id: string, now: number): KeptPaymentMethod | undefined {
	return id.startsWith("tok_") ? sharedCard(id, now) : undefined;
}

function sharedCard(id: string, now: number): KeptPaymentMethod | undefined {
	const card = sharedIds.get(id);
	if (!card) return undefined;
	const expYear = new Date(now * 1000).getUTCFullYear() + 1;
	const cvc = "1".repeat(cvcLength(card.number));
	return { ...newPaymentMethod({ number: card.number, cvc, expMonth: 12, expYear }, now), outcome: card.outcome };
}

function cardError(code: string, message: string, param: string): ApiError {
	return new ApiError(402, { type: "card_error", code, doc_url: docUrl(code), message, param });
}
