import type { Billing, CardDetails } from "../objects/payment-method.ts";
import type { CardPart } from "./card-parts.ts";
import { invalidRequest, missingParameter } from "./errors.ts";
import type { Parameters } from "./parameters.ts";

/** A payment method in a request: an id, a token, or card data. */
export type RequestedMethod = { id: string } | RequestedCard;
export type RequestedCard = { token: string; billing: Billing } | { card: CardDetails; billing: Billing };

type TakePart = (id: string) => CardPart;

/** Reads `payment_method_data` or `payment_method`. Returns undefined if neither was sent. */
export function readMethod(params: Parameters, takePart: TakePart): RequestedMethod | undefined {
	const data = params.group("payment_method_data");
	if (data) return readMethodData(data, takePart);
	const id = params.text("payment_method");
	return id === undefined ? undefined : { id };
}

/** Reads the data of a new payment method: `type`, `card` and `billing_details`. */
export function readMethodData(data: Parameters, takePart: TakePart): RequestedCard {
	data.only("billing_details", "card", "type");
	if (data.choice("type", ["card"]) === undefined) throw missingParameter(data.name("type"));
	return { ...readCard(data, takePart), billing: readBilling(data.group("billing_details")) };
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

/** Reads an address. Every field is optional. */
export function readAddress(group: Parameters) {
	group.only("city", "country", "line1", "line2", "postal_code", "state");
	return {
		city: group.clearable("city") ?? null,
		country: group.clearable("country") ?? null,
		line1: group.clearable("line1") ?? null,
		line2: group.clearable("line2") ?? null,
		postal_code: group.clearable("postal_code") ?? null,
		state: group.clearable("state") ?? null,
	};
}

function readBilling(billing: Parameters | undefined): Billing {
	billing?.only("address", "email", "name", "phone");
	const address = billing?.clearableGroup("address");
	return {
		address: address ? readAddress(address) : null,
		email: billing?.clearable("email") ?? null,
		name: billing?.clearable("name") ?? null,
		phone: billing?.clearable("phone") ?? null,
	};
}
