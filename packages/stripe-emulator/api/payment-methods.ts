import type Stripe from "stripe";
import { newId } from "../objects/ids.ts";
import {
	type KeptPaymentMethod,
	newPaymentMethod,
	sharedPaymentMethod,
	sharedToken,
} from "../objects/payment-method.ts";
import { newToken } from "../objects/token.ts";
import { updatedMetadata } from "../objects/update.ts";
import type { CardPart } from "./card-parts.ts";
import { invalidRequest, missingParameter, noSuch, rawNumberRefused } from "./errors.ts";
import {
	type RequestedCard,
	type RequestedMethod,
	readCard,
	readMethodData,
	takeTokenBilling,
} from "./payment-method-parameters.ts";
import type { Call, Ledger, Route } from "./routes.ts";

/** Endpoints that accept card data. A server may send a token in its place. */
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
		name: "tokens.retrieve",
		method: "GET",
		path: /^\/v1\/tokens\/(\w+)$/,
		browsers: "refused",
		returns: "token",
		prepare: retrieveToken,
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
	if (call.params.has("customer")) {
		const message =
			"You cannot attach a PaymentMethod to a Customer while creating it. Create the PaymentMethod, then attach it.";
		throw invalidRequest(message, { param: "customer" });
	}
	const requested = readMethodData(call.params, takePart(call));
	refuseRawNumber(call, "card" in requested, "card[number]");
	return () => keepMethod(call, requested).paymentMethod;
}

function createToken(call: Call) {
	call.params.only("card");
	const billing = takeTokenBilling(call.params);
	const currency = call.params.group("card")?.take("currency");
	const requested = readCard(call.params, takePart(call));
	if ("token" in requested) throw missingParameter("card[number]");
	refuseRawNumber(call, true, "card[number]");
	return () => {
		const method = newPaymentMethod(requested.card, call.now, billing);
		const token = newToken(method, call.now, currency);
		call.store.save("token", token.id, { ...method, token });
		return token;
	};
}

function retrieveToken({ id, now, params, store }: Call) {
	params.only();
	return () => {
		const shared = sharedToken(id, now);
		const token = shared ? newToken(shared, now) : store.find("token", id)?.token;
		if (token) return token;
		throw noSuch("token", id, "token");
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
		if ("card" in requested) return withDetails(newPaymentMethod(requested.card, now), requested);
		if ("token" in requested) return withDetails(methodOfToken(requested.token), requested);
		const known = sharedPaymentMethod(requested.id, now) ?? store.find("payment_method", requested.id);
		if (known) return known;
		throw noSuch("PaymentMethod", requested.id, "payment_method");
	}

	function methodOfToken(id: string): KeptPaymentMethod {
		const shared = sharedToken(id, now);
		if (shared) return shared;
		const kept = store.find("token", id);
		if (!kept) throw noSuch("token", id, "token");
		if (kept.token.used) {
			throw invalidRequest(`You cannot use a Stripe token more than once: ${id}.`, { code: "token_already_used" });
		}
		store.save("token", id, { ...kept, token: { ...kept.token, used: true } });
		return { outcome: kept.outcome, paymentMethod: { ...kept.paymentMethod, id: newId("pm_") } };
	}
}

/** Returns the payment method with the details in the request. Its billing details override those of a token. */
function withDetails(method: KeptPaymentMethod, { allowRedisplay, billing, metadata }: RequestedCard) {
	const given = Object.fromEntries(Object.entries(billing).filter(([, value]) => value !== null));
	const details = {
		allow_redisplay: allowRedisplay,
		billing_details: { ...method.paymentMethod.billing_details, ...given },
		metadata: updatedMetadata(metadata, null),
	};
	return { ...method, paymentMethod: { ...method.paymentMethod, ...details } };
}
