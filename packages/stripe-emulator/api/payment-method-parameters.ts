import type Stripe from "stripe";
import { type Billing, type CardDetails, noAddress } from "../objects/payment-method.ts";
import type { CardPart } from "./card-parts.ts";
import { invalidRequest, missingParameter } from "./errors.ts";
import type { Parameters } from "./parameters.ts";

/** A payment method in a request: an id, a token, or card data. */
export type RequestedMethod = { id: string } | RequestedCard;
export type RequestedCard = MethodDetails & ({ token: string } | { card: CardDetails });

interface MethodDetails {
	allowRedisplay: Stripe.PaymentMethod.AllowRedisplay;
	billing: Billing;
	metadata: Map<string, string>;
}

type TakePart = (id: string) => CardPart;

/** Reads `payment_method_data` or `payment_method`. Returns undefined if neither was sent. */
export function readMethod(params: Parameters, takePart: TakePart): RequestedMethod | undefined {
	const data = params.group("payment_method_data");
	if (data) return readMethodData(data, takePart);
	const id = params.text("payment_method");
	return id === undefined ? undefined : { id };
}

/** Reads the data of a new payment method: `type`, `card`, `billing_details`, `metadata` and `allow_redisplay`. */
export function readMethodData(data: Parameters, takePart: TakePart): RequestedCard {
	data.only("allow_redisplay", "billing_details", "card", "metadata", "type");
	if (data.choice("type", ["card"]) === undefined) throw missingParameter(data.name("type"));
	return {
		...readCard(data, takePart),
		allowRedisplay: readAllowRedisplay(data) ?? "unspecified",
		billing: readBilling(data.group("billing_details")),
		metadata: data.metadata("metadata") ?? new Map(),
	};
}

export function readAllowRedisplay(params: Parameters) {
	return params.choice("allow_redisplay", ["always", "limited", "unspecified"]);
}

/** Reads `card`: a token, or a number, expiry and security code. Expiry and security code may be ids of card parts. */
export function readCard(data: Parameters, takePart: TakePart): { token: string } | { card: CardDetails } {
	const card = data.group("card");
	if (!card) throw missingParameter(data.name("card"));
	card.only("cvc", "cvc_part", "exp_month", "exp_year", "expiry_part", "number", "token");
	const token = card.text("token");
	if (token !== undefined) return { token };
	return { card: { number: card.required("number"), ...readExpiry(card, takePart), cvc: readCvc(card, takePart) } };
}

/** Reads and removes the cardholder's name and address from the `card` of a new token. */
export function takeTokenBilling(params: Parameters): Billing {
	const card = params.group("card");
	const take = (name: string) => card?.take(name) ?? null;
	return {
		address: {
			city: take("address_city"),
			country: take("address_country"),
			line1: take("address_line1"),
			line2: take("address_line2"),
			postal_code: take("address_zip"),
			state: take("address_state"),
		},
		email: null,
		name: take("name"),
		phone: null,
	};
}

function readExpiry(card: Parameters, takePart: TakePart): { expMonth: number; expYear: number } {
	const id = card.text("expiry_part");
	const part = id === undefined ? undefined : takePart(id);
	if (part && "cvc" in part)
		throw invalidRequest("This card part is not an expiration date.", { param: card.name("expiry_part") });
	if (part) return part;
	const expMonth = card.integer("exp_month");
	const expYear = card.integer("exp_year");
	if (expMonth === undefined) throw missingParameter(card.name("exp_month"));
	if (expYear === undefined) throw missingParameter(card.name("exp_year"));
	return { expMonth, expYear };
}

function readCvc(card: Parameters, takePart: TakePart): string | undefined {
	const id = card.text("cvc_part");
	const part = id === undefined ? undefined : takePart(id);
	if (!part) return card.text("cvc");
	if ("cvc" in part) return part.cvc;
	throw invalidRequest("This card part is not a security code.", { param: card.name("cvc_part") });
}

export const addressFields = ["city", "country", "line1", "line2", "postal_code", "state"] as const;

/** Reads an address. Every field is optional. */
export function readAddress(group: Parameters): Stripe.Address {
	return { ...noAddress, ...group.fields(...addressFields) };
}

function readBilling(group: Parameters | undefined): Billing {
	const { address, ...billing } = readBillingChange(group);
	const none = { email: null, name: null, phone: null };
	return { ...none, ...billing, address: address ? { ...noAddress, ...address } : null };
}

/** Reads the billing details that were sent; null means "unset this field". */
export function readBillingChange(group: Parameters | undefined) {
	const address = group?.clearableGroup("address");
	group?.remove("address");
	return {
		...group?.fields("email", "name", "phone"),
		...(address !== undefined && { address: address?.fields(...addressFields) ?? noAddress }),
	};
}
