import type Stripe from "stripe";
import { rawNumberRefused, unexpectedState } from "../errors.ts";
import { newPaymentIntent } from "../objects/new-payment-intent.ts";
import { canceled, requireConfirmable, withDetails, withPaymentMethod } from "../objects/payment-intent.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import { requireClientSecret } from "./access.ts";
import { payWithCard } from "./charge-card.ts";
import { list } from "./list.ts";
import { readCancel, readConfirm, readCreate, readUpdate } from "./payment-intent-parameters.ts";
import { keepMethod, type RequestedMethod } from "./payment-methods.ts";
import type { Call, Route } from "./routes.ts";

export const paymentIntentRoutes: readonly Route[] = [
	{ name: "payment_intents.create", browsers: false, prepare: create },
	{ name: "payment_intents.list", browsers: false, prepare: listAll },
	{ name: "payment_intents.retrieve", browsers: true, prepare: retrieve },
	{ name: "payment_intents.update", browsers: false, prepare: update },
	{ name: "payment_intents.confirm", browsers: true, prepare: confirm },
	{ name: "payment_intents.cancel", browsers: false, prepare: cancel },
];

function create(call: Call) {
	const request = readCreate(call.params);
	refuseRawNumber(call, request.method);
	return () => {
		const intent = withDetails(newPaymentIntent(request.intent, call.now), request.details);
		const method = request.method && keepMethod(call, request.method);
		const ready = save(call, method ? withPaymentMethod(intent, method.paymentMethod.id) : intent);
		call.emit({ type: "payment_intent.created", object: ready });
		if (!request.confirm) return ready;
		if (method) return pay(call, ready, method);
		throw missingMethod(ready);
	};
}

function listAll(call: Call) {
	return list(call, "payment_intent");
}

function retrieve(call: Call) {
	call.params.only();
	return () => call.retrieved(getIntent(call));
}

function update(call: Call) {
	const request = readUpdate(call.params);
	refuseRawNumber(call, request.method);
	return () => {
		const intent = withDetails(getIntent(call), request.details);
		if (!request.method) return save(call, intent);
		return save(call, withPaymentMethod(intent, keepMethod(call, request.method).paymentMethod.id));
	};
}

function confirm(call: Call) {
	const request = readConfirm(call.params);
	refuseRawNumber(call, request.method);
	return () => {
		const intent = getIntent(call);
		requireConfirmable(intent);
		call.confirming(intent);
		const method = keepMethod(call, request.method ?? methodOf(intent));
		const ready = withPaymentMethod(withDetails(intent, request.details), method.paymentMethod.id);
		return pay(call, ready, method);
	};
}

function cancel(call: Call) {
	const reason = readCancel(call.params);
	return () => {
		const intent = save(call, canceled(getIntent(call), reason, call.now));
		call.emit({ type: "payment_intent.canceled", object: intent });
		return intent;
	};
}

/** Returns the intent whose id is in the path. Throws a 404 ApiError if it does not exist, or a 400 if a browser sent
 *  the wrong client secret. */
export function getIntent({ store, id, clientSecret }: Call): Stripe.PaymentIntent {
	const intent = store.get("payment_intent", id, "intent");
	if (clientSecret !== null) requireClientSecret(intent, clientSecret);
	return intent;
}

function pay(call: Call, ready: Stripe.PaymentIntent, method: KeptPaymentMethod) {
	const { intent, error } = payWithCard(call, ready, method);
	if (error) throw error;
	return intent;
}

/** Returns the payment method already attached to the intent; throws if there is none. */
function methodOf(intent: Stripe.PaymentIntent): { id: string } {
	if (typeof intent.payment_method === "string") return { id: intent.payment_method };
	throw missingMethod(intent);
}

function missingMethod(intent: Stripe.PaymentIntent) {
	return unexpectedState(
		"You cannot confirm this PaymentIntent because it's missing a payment method. Pass one in this call or update the PaymentIntent first.",
		intent,
	);
}

function save({ store }: Call, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
	store.save("payment_intent", intent.id, intent);
	return intent;
}

/** Throws an ApiError if a server sent a card number: only the card frames may handle card data. */
function refuseRawNumber({ caller }: Call, method: RequestedMethod | undefined): void {
	if (caller === "browser" || !method || !("card" in method)) return;
	throw rawNumberRefused("payment_method_data[card][number]");
}
