import type { CardDetails } from "../objects/payment-method.ts";
import { missingParameter } from "./errors.ts";
import type { Parameters } from "./parameters.ts";

/** A payment method as a request names it: by its id, or as the card to make one of. */
export type AskedMethod = { id: string } | { card: CardDetails };

/** Reads `payment_method` and `payment_method_data`; undefined when neither was sent. */
export function readMethod(params: Parameters): AskedMethod | undefined {
	const data = params.group("payment_method_data");
	if (!data) {
		const id = params.text("payment_method");
		return id === undefined ? undefined : { id };
	}
	data.only("billing_details", "card", "type");
	if (data.choice("type", ["card"]) === undefined) throw missingParameter("payment_method_data[type]");
	const card = data.group("card");
	if (!card) throw missingParameter("payment_method_data[card]");
	card.only("cvc", "exp_month", "exp_year", "number");
	const billing = data.group("billing_details");
	billing?.only("email", "name", "phone");
	const expMonth = card.integer("exp_month");
	const expYear = card.integer("exp_year");
	if (expMonth === undefined) throw missingParameter("payment_method_data[card][exp_month]");
	if (expYear === undefined) throw missingParameter("payment_method_data[card][exp_year]");
	return {
		card: {
			number: card.required("number"),
			cvc: card.text("cvc"),
			expMonth,
			expYear,
			billing: {
				email: billing?.clearable("email") ?? null,
				name: billing?.clearable("name") ?? null,
				phone: billing?.clearable("phone") ?? null,
			},
		},
	};
}
