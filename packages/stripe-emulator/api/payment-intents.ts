import type Stripe from "stripe";
import { newPaymentIntent } from "../objects/new-payment-intent.ts";
import { canceled, requireConfirmable, withDetails, withPaymentMethod } from "../objects/payment-intent.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import { requireClientSecret } from "./access.ts";
import { payWithCard } from "./charge-card.ts";
import { invalidRequest, noSuch, rawNumberRefused, secretKeyRequired, unexpectedState } from "./errors.ts";
import { list } from "./list.ts";
import { type ConfirmRequest, readCancel, readConfirm, readCreate, readUpdate } from "./payment-intent-parameters.ts";
import type { RequestedMethod } from "./payment-method-parameters.ts";
import { keepMethod, takePart } from "./payment-methods.ts";
import type { Call, Route } from "./routes.ts";

const all = /^\/v1\/payment_intents$/;
const one = /^\/v1\/payment_intents\/(\w+)$/;
const confirmation = /^\/v1\/payment_intents\/(\w+)\/confirm$/;
const cancellation = /^\/v1\/payment_intents\/(\w+)\/cancel$/;
const withSecret = "with_client_secret";

export const paymentIntentRoutes: readonly Route[] = [
	{ name: "payment_intents.create", method: "POST", path: all, browsers: "refused", prepare: create },
	{ name: "payment_intents.list", method: "GET", path: all, browsers: "refused", prepare: listAll },
	{ name: "payment_intents.retrieve", method: "GET", path: one, browsers: withSecret, prepare: retrieve },
	{ name: "payment_intents.update", method: "POST", path: one, browsers: "refused", prepare: update },
	{ name: "payment_intents.confirm", method: "POST", path: confirmation, browsers: withSecret, prepare: confirm },
	{ name: "payment_intents.cancel", method: "POST", path: cancellation, browsers: "refused", prepare: cancel },
];

function create(call: Call) {
	const request = readCreate(call.params, takePart(call));
	refuseRawNumber(call, request.method);
	return () => {
		const intent = withDetails(newPaymentIntent(request.intent, call.now), request.details);
		const method = request.method && keepMethod(call, request.method);
		const ready = save(call, method ? withPaymentMethod(intent, method.paymentMethod.id) : intent);
		call.emit({ type: "payment_intent.created", object: ready });
		if (!request.confirm) return ready;
		if (method) return pay(call, ready, method, request);
		throw missingMethod(ready);
	};
}

function listAll(call: Call) {
	return list(call, "payment_intent");
}

function retrieve(call: Call) {
	call.params.only("expand");
	const expanded = readExpand(call);
	return () => {
		const intent = call.retrieved(findIntent(call));
		return expanded ? withCharge(call, intent) : intent;
	};
}

/** Returns whether to expand `latest_charge`, which a browser may not read. */
function readExpand({ caller, params }: Call): boolean {
	const requested = params.list("expand") ?? [];
	const refused = requested.find((property) => property !== "latest_charge" || caller === "browser");
	if (refused !== undefined) throw invalidRequest(`This property cannot be expanded (${refused}).`);
	return requested.length > 0;
}

function withCharge({ store }: Call, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
	if (typeof intent.latest_charge !== "string") return intent;
	return { ...intent, latest_charge: store.find("charge", intent.latest_charge) ?? null };
}

function update(call: Call) {
	const request = readUpdate(call.params, takePart(call));
	refuseRawNumber(call, request.method);
	return () => {
		const intent = withDetails(findIntent(call), request.details);
		if (!request.method) return save(call, intent);
		return save(call, withPaymentMethod(intent, keepMethod(call, request.method).paymentMethod.id));
	};
}

function confirm(call: Call) {
	const request = readConfirm(call.params, takePart(call));
	refuseRawNumber(call, request.method);
	// only a server may set off_session and error_on_requires_action
	if (call.caller === "browser" && Object.values(request.options).includes(true)) throw secretKeyRequired();
	return () => {
		const intent = findIntent(call);
		requireConfirmable(intent);
		call.confirming(intent);
		const method = keepMethod(call, request.method ?? methodOf(intent));
		const ready = withPaymentMethod(withDetails(intent, request.details), method.paymentMethod.id);
		return pay(call, ready, method, request);
	};
}

function cancel(call: Call) {
	const reason = readCancel(call.params);
	return () => {
		const intent = save(call, canceled(findIntent(call), reason, call.now));
		call.emit({ type: "payment_intent.canceled", object: intent });
		return intent;
	};
}

/** Returns the intent whose id is in the path. Throws a 404 ApiError if it does not exist, or a 400 if a browser sent
 *  the wrong client secret. */
export function findIntent({ store, id, clientSecret }: Call): Stripe.PaymentIntent {
	const intent = store.find("payment_intent", id);
	if (!intent) throw noSuch("payment_intent", id, "intent");
	if (clientSecret !== null) requireClientSecret(intent, clientSecret);
	return intent;
}

function pay(call: Call, ready: Stripe.PaymentIntent, method: KeptPaymentMethod, { options }: ConfirmRequest) {
	const { intent, error } = payWithCard(call, ready, method, options);
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
