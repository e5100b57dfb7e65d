import { missingParameter, noSuch } from "../errors.ts";
import {
	type Billing,
	type CardDetails,
	type KeptPaymentMethod,
	newPaymentMethod,
	sharedPaymentMethod,
} from "../objects/payment-method.ts";
import type { Parameters } from "./parameters.ts";
import type { Call } from "./routes.ts";

/** A payment method in a request: an id, or card data. */
export type RequestedMethod = { id: string } | { card: CardDetails; billing: Billing };

/** Reads `payment_method_data` or `payment_method`. Returns undefined if neither was sent. */
export function readMethod(params: Parameters): RequestedMethod | undefined {
	const data = params.group("payment_method_data");
	if (data) return readMethodData(data);
	const id = params.text("payment_method");
	return id === undefined ? undefined : { id };
}

/** Reads the data of a new payment method: `type`, `card` and `billing_details`. */
function readMethodData(data: Parameters): RequestedMethod {
	data.only("billing_details", "card", "type");
	if (data.choice("type", ["card"]) === undefined) throw missingParameter(data.name("type"));
	const card = data.group("card");
	if (!card) throw missingParameter(data.name("card"));
	card.only("cvc", "exp_month", "exp_year", "number");
	const number = card.required("number");
	const [expMonth, expYear] = [card.integer("exp_month"), card.integer("exp_year")];
	if (expMonth === undefined) throw missingParameter(card.name("exp_month"));
	if (expYear === undefined) throw missingParameter(card.name("exp_year"));
	const details = { number, expMonth, expYear, cvc: card.text("cvc") };
	return { card: details, billing: readBilling(data.group("billing_details")) };
}

/** Reads an address. Every field is optional. */
function readAddress(group: Parameters) {
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
		email: billing?.email("email") ?? null,
		name: billing?.clearable("name") ?? null,
		phone: billing?.clearable("phone") ?? null,
	};
}

/** Finds or creates the requested payment method and stores it. Throws an ApiError for an unknown id, and a 402 for an
 *  invalid card. */
export function keepMethod({ store, now }: Call, requested: RequestedMethod): KeptPaymentMethod {
	const method =
		"card" in requested
			? newPaymentMethod(requested.card, now, requested.billing)
			: (sharedPaymentMethod(requested.id, now) ?? store.find("payment_method", requested.id));
	if (!method) throw noSuch("PaymentMethod", "id" in requested ? requested.id : "", "payment_method");
	store.save("payment_method", method.paymentMethod.id, method);
	return method;
}
