import type Stripe from "stripe";
import { newId } from "../objects/ids.ts";
import {
	type Billing,
	type KeptPaymentMethod,
	newPaymentMethod,
	sharedPaymentMethod,
	sharedToken,
} from "../objects/payment-method.ts";
import { newToken } from "../objects/token.ts";
import type { CardPart } from "./card-parts.ts";
import { invalidRequest, missingParameter, noSuch, rawNumberRefused } from "./errors.ts";
import { type RequestedMethod, readCard, readMethodData, takeTokenBilling } from "./payment-method-parameters.ts";
import type { Call, Ledger, Route } from "./routes.ts";

/** Endpoints that accept card data, from browsers only. */
export const paymentMethodRoutes: readonly Route[] = [
	{
		name: "payment_methods.create",
		method: "POST",
		path: /^\/v1\/payment_methods$/,
		browsers: "allowed",
		returns: "payment_method",
		prepare: createPaymentMethod,
	},
	{
		name: "tokens.create",
		method: "POST",
		path: /^\/v1\/tokens$/,
		browsers: "allowed",
		returns: "token",
		prepare: createToken,
	},
	{
		name: "card_parts.create",
		method: "POST",
		path: /^\/v1\/card_parts$/,
		browsers: "allowed",
		returns: null,
		prepare: createCardPart,
	},
];

function createPaymentMethod(call: Call) {
	const requested = readMethodData(call.params, takePart(call));
	refuseRawNumber(call, "card" in requested, "card[number]");
	return () => keepMethod(call, requested).paymentMethod;
}

function createToken(call: Call) {
	call.params.only("card");
	const billing = takeTokenBilling(call.params);
	const requested = readCard(call.params, takePart(call));
	if ("token" in requested) throw missingParameter("card[number]");
	refuseRawNumber(call, true, "card[number]");
	return () => {
		const method = newPaymentMethod(requested.card, call.now, billing);
		const token = newToken(method, call.now);
		call.store.save("token", token.id, { ...method, token });
		return token;
	};
}

function createCardPart(call: Call) {
	refuseRawNumber(call, true, "part");
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

/** Throws an ApiError if a server sent a card number: only the card frames may handle card data. */
export function refuseRawNumber({ caller }: Call, isRaw: boolean, param: string): void {
	if (isRaw && caller === "server") throw rawNumberRefused(param);
}

/** Returns a function that looks up a card part by id and removes it. */
export function takePart({ cardParts, now }: Call): (id: string) => CardPart {
	return (id) => cardParts.take(id, now);
}

/** Stores the issuer's checks of a successful charge with its payment method. */
export function keepChecks({ store }: Ledger, { payment_method, payment_method_details }: Stripe.Charge): void {
	const kept = store.find("payment_method", payment_method ?? "");
	const card = kept?.paymentMethod.card;
	const checks = payment_method_details?.card?.checks;
	if (!card || !checks) return;
	const paymentMethod = { ...kept.paymentMethod, card: { ...card, checks } };
	store.save("payment_method", paymentMethod.id, { ...kept, paymentMethod });
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
		const shared = sharedToken(requested.token, now);
		if (shared) return withBilling(shared, requested.billing);
		const kept = store.find("token", requested.token);
		if (!kept) throw noSuch("token", requested.token, "token");
		if (kept.token.used) {
			const code = "token_already_used";
			throw invalidRequest(`You cannot use a Stripe token more than once: ${requested.token}.`, { code });
		}
		store.save("token", requested.token, { ...kept, token: { ...kept.token, used: true } });
		return withBilling(kept, requested.billing);
	}
}

/** Returns a new payment method with a token's card. Billing details in the request override those of the token. */
function withBilling({ outcome, paymentMethod }: KeptPaymentMethod, requested: Billing): KeptPaymentMethod {
	const { billing_details } = paymentMethod;
	const given = Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== null));
	return {
		outcome,
		paymentMethod: { ...paymentMethod, id: newId("pm_"), billing_details: { ...billing_details, ...given } },
	};
}
