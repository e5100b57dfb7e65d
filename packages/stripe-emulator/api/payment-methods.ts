import { newId } from "../objects/ids.ts";
import { type KeptPaymentMethod, newPaymentMethod, sharedPaymentMethod } from "../objects/payment-method.ts";
import { newToken } from "../objects/token.ts";
import type { CardPart } from "./card-parts.ts";
import { invalidRequest, missingParameter, noSuch } from "./errors.ts";
import { type MethodRequest, readCard, readMethodData } from "./payment-method-parameters.ts";
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
	const request = readMethodData(call.params, takePart(call));
	return () => keepMethod(call, request).paymentMethod;
}

function createToken(call: Call) {
	call.params.only("card");
	const request = readCard(call.params, takePart(call));
	if ("token" in request) throw missingParameter("card[number]");
	return () => {
		const method = newPaymentMethod(request.card, call.now);
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
export function keepMethod({ store, now }: Call, request: MethodRequest): KeptPaymentMethod {
	const method = methodFor(request);
	store.save("payment_method", method.paymentMethod.id, method);
	return method;

	function methodFor(request: MethodRequest): KeptPaymentMethod {
		if ("card" in request) return newPaymentMethod(request.card, now, request.billing);
		if ("id" in request) {
			const known = sharedPaymentMethod(request.id, now) ?? store.find("payment_method", request.id);
			if (known) return known;
			throw noSuch("PaymentMethod", request.id, "payment_method");
		}
		const kept = store.find("token", request.token);
		if (!kept) throw noSuch("token", request.token, "token");
		if (kept.token.used) {
			const code = "token_already_used";
			throw invalidRequest(`You cannot use a Stripe token more than once: ${request.token}.`, { code });
		}
		store.save("token", request.token, { ...kept, token: { ...kept.token, used: true } });
		const { outcome, paymentMethod } = kept;
		const billing_details = { ...request.billing, tax_id: null };
		return { outcome, paymentMethod: { ...paymentMethod, id: newId("pm_"), billing_details } };
	}
}
