import { newId } from "../objects/ids.ts";
import { type KeptPaymentMethod, newPaymentMethod, sharedPaymentMethod } from "../objects/payment-method.ts";
import { newToken } from "../objects/token.ts";
import type { CardPart } from "./card-parts.ts";
import { invalidRequest, missingParameter, noSuch } from "./errors.ts";
import { type RequestedMethod, readCard, readMethodData } from "./payment-method-parameters.ts";
import type { Call, Route } from "./routes.ts";

/** Endpoints that accept card data. Only browsers may call them. */
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
	const requested = readMethodData(call.params, takePart(call));
	return () => keepMethod(call, requested).paymentMethod;
}

function createToken(call: Call) {
	call.params.only("card");
	const requested = readCard(call.params, takePart(call));
	if ("token" in requested) throw missingParameter("card[number]");
	return () => {
		const method = newPaymentMethod(requested.card, call.now);
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

/** Returns a function that looks up a card part by id and removes it. */
export function takePart({ cardParts, now }: Call): (id: string) => CardPart {
	return (id) => cardParts.take(id, now);
}

/** Finds or creates the requested payment method and stores it. Throws an ApiError for an unknown id, or for an unknown
 *  or used token, and a 402 for an invalid card. */
export function keepMethod({ store, now }: Call, requested: RequestedMethod): KeptPaymentMethod {
	const method = methodFor(requested);
	store.save("payment_method", method.paymentMethod.id, method);
	return method;

	function methodFor(requested: RequestedMethod): KeptPaymentMethod {
		if ("card" in requested) return newPaymentMethod(requested.card, now, requested.billing);
		if ("id" in requested) {
			const known = sharedPaymentMethod(requested.id, now) ?? store.find("payment_method", requested.id);
			if (known) return known;
			throw noSuch("PaymentMethod", requested.id, "payment_method");
		}
		const kept = store.find("token", requested.token);
		if (!kept) throw noSuch("token", requested.token, "token");
		if (kept.token.used) {
			const code = "token_already_used";
			throw invalidRequest(`You cannot use a Stripe token more than once: ${requested.token}.`, { code });
		}
		store.save("token", requested.token, { ...kept, token: { ...kept.token, used: true } });
		const { outcome, paymentMethod } = kept;
		const billing_details = { ...requested.billing, tax_id: null };
		return { outcome, paymentMethod: { ...paymentMethod, id: newId("pm_"), billing_details } };
	}
}
