import { newId } from "../objects/ids.ts";
import { type KeptPaymentMethod, newPaymentMethod, sharedPaymentMethod } from "../objects/payment-method.ts";
import { newToken } from "../objects/token.ts";
import type { CardPart } from "./card-parts.ts";
import { invalidRequest, missingParameter, noSuch } from "./errors.ts";
import { type AskedMethod, readCard, readMethodData } from "./payment-method-parameters.ts";
import type { Call, Route } from "./routes.ts";

/** What a browser makes of a card. A server has no card to make anything of. */
export const paymentMethodRoutes: readonly Route[] = [
	{
		name: "payment_methods.create",
		method: "POST",
		path: /^\/v1\/payment_methods$/,
		browsers: "only",
		prepare: createPaymentMethod,
	},
	{ name: "tokens.create", method: "POST", path: /^\/v1\/tokens$/, browsers: "only", prepare: createToken },
	{ name: "card_parts.create", method: "POST", path: /^\/v1\/card_parts$/, browsers: "only", prepare: createCardPart },
];

function createPaymentMethod(call: Call) {
	const asked = readMethodData(call.params, takePart(call));
	return () => keepMethod(call, asked).paymentMethod;
}

function createToken(call: Call) {
	call.params.only("card");
	const asked = readCard(call.params, takePart(call));
	if ("token" in asked) throw missingParameter("card[number]");
	return () => {
		const method = newPaymentMethod(asked.card, call.now);
		const token = newToken(method.paymentMethod, call.now);
		call.store.save("token", token.id, { ...method, token });
		return token;
	};
}

function createCardPart(call: Call) {
	const group = call.params.group("part");
	if (!group) throw missingParameter("part");
	call.params.only("part");
	group.only("cvc", "exp_month", "exp_year");
	const part = readPart(group.text("cvc"), group.integer("exp_month"), group.integer("exp_year"));
	return () => ({ id: call.cardParts.keep(part, call.now), object: "card_part" });
}

function readPart(cvc: string | undefined, expMonth: number | undefined, expYear: number | undefined): CardPart {
	if (cvc !== undefined) return { cvc };
	if (expMonth === undefined) throw missingParameter("part[exp_month]");
	if (expYear === undefined) throw missingParameter("part[exp_year]");
	return { expMonth, expYear };
}

/** For the readers of parameters: how they come by what a sibling frame has sent. */
export function takePart({ cardParts, now }: Call): (id: string) => CardPart {
	return (id) => cardParts.take(id, now);
}

/** The payment method that is asked for, kept. Throws the ApiError of one that is not known, and the 402 of a card that
 *  cannot be one. */
export function keepMethod({ store, now }: Call, asked: AskedMethod): KeptPaymentMethod {
	const method = methodFor(asked);
	store.save("payment_method", method.paymentMethod.id, method);
	return method;

	function methodFor(asked: AskedMethod): KeptPaymentMethod {
		if ("card" in asked) return newPaymentMethod(asked.card, now, asked.billing);
		if ("id" in asked) {
			const known = sharedPaymentMethod(asked.id, now) ?? store.find("payment_method", asked.id);
			if (known) return known;
			throw noSuch("PaymentMethod", asked.id, "payment_method");
		}
		const kept = store.find("token", asked.token);
		if (!kept) throw noSuch("token", asked.token, "token");
		if (kept.token.used) {
			const code = "token_already_used";
			throw invalidRequest(`You cannot use a Stripe token more than once: ${asked.token}.`, { code });
		}
		store.save("token", asked.token, { ...kept, token: { ...kept.token, used: true } });
		const { outcome, paymentMethod } = kept;
		const billing_details = { ...asked.billing, tax_id: null };
		return { outcome, paymentMethod: { ...paymentMethod, id: newId("pm_"), billing_details } };
	}
}
