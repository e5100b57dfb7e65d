import type Stripe from "stripe";
import { newPaymentIntent } from "../objects/new-payment-intent.ts";
import { canceled, charged, requireConfirmable, withDetails, withPaymentMethod } from "../objects/payment-intent.ts";
import { type KeptPaymentMethod, newPaymentMethod, sharedPaymentMethod } from "../objects/payment-method.ts";
import { requireClientSecret } from "./access.ts";
import { invalidRequest, noSuch, unexpectedState } from "./errors.ts";
import { type ConfirmRequest, readCancel, readConfirm, readCreate, readUpdate } from "./payment-intent-parameters.ts";
import type { AskedMethod } from "./payment-method-parameters.ts";
import type { Call, Route } from "./routes.ts";

const one = "/v1/payment_intents/(\\w+)";

export const paymentIntentRoutes: readonly Route[] = [
	{ method: "POST", path: /^\/v1\/payment_intents$/, openToBrowsers: false, prepare: create },
	{ method: "GET", path: RegExp(`^${one}$`), openToBrowsers: true, prepare: retrieve },
	{ method: "POST", path: RegExp(`^${one}$`), openToBrowsers: false, prepare: update },
	{ method: "POST", path: RegExp(`^${one}/confirm$`), openToBrowsers: true, prepare: confirm },
	{ method: "POST", path: RegExp(`^${one}/cancel$`), openToBrowsers: false, prepare: cancel },
];

function create(call: Call) {
	const request = readCreate(call.params);
	refuseRawNumber(call, request);
	return () => {
		const intent = withDetails(newPaymentIntent(request.intent, call.now), request.details);
		if (!request.method) return save(call, intent);
		const method = keep(call, request.method);
		const ready = save(call, withPaymentMethod(intent, method.paymentMethod.id));
		return request.confirm ? charge(call, ready, method) : ready;
	};
}

function retrieve(call: Call) {
	call.params.only();
	return () => find(call);
}

function update(call: Call) {
	const request = readUpdate(call.params);
	refuseRawNumber(call, request);
	return () => {
		const intent = withDetails(find(call), request.details);
		if (!request.method) return save(call, intent);
		return save(call, withPaymentMethod(intent, keep(call, request.method).paymentMethod.id));
	};
}

function confirm(call: Call) {
	const request = readConfirm(call.params);
	refuseRawNumber(call, request);
	return () => {
		const intent = find(call);
		requireConfirmable(intent);
		const asked = request.method ?? methodOf(intent);
		const method = keep(call, asked);
		const ready = withPaymentMethod(withDetails(intent, request.details), method.paymentMethod.id);
		return charge(call, ready, method);
	};
}

function cancel(call: Call) {
	const reason = readCancel(call.params);
	return () => save(call, canceled(find(call), reason, call.now));
}

/** The payment method that an earlier call gave the intent. */
function methodOf(intent: Stripe.PaymentIntent): { id: string } {
	if (typeof intent.payment_method === "string") return { id: intent.payment_method };
	throw unexpectedState(
		"You cannot confirm this PaymentIntent because it's missing a payment method. Give it one in this call or update it with one first.",
		intent,
	);
}

function find({ store, id, clientSecret }: Call): Stripe.PaymentIntent {
	const intent = store.findPaymentIntent(id);
	if (!intent) throw noSuch("payment_intent", id, "intent");
	if (clientSecret !== null) requireClientSecret(intent, clientSecret);
	return intent;
}

function save({ store }: Call, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
	store.savePaymentIntent(intent);
	return intent;
}

function charge(call: Call, intent: Stripe.PaymentIntent, method: KeptPaymentMethod): Stripe.PaymentIntent {
	const result = charged(intent, method);
	save(call, result.intent);
	if (result.error) throw result.error;
	return result.intent;
}

function keep({ store, now }: Call, asked: AskedMethod): KeptPaymentMethod {
	const method =
		"card" in asked
			? newPaymentMethod(asked.card, now)
			: (sharedPaymentMethod(asked.id, now) ?? store.findPaymentMethod(asked.id));
	if (!method) throw noSuch("PaymentMethod", "id" in asked ? asked.id : "", "payment_method");
	store.savePaymentMethod(method);
	return method;
}

/** Card numbers come from the card frame alone; a server that sends one has handled what it must not. */
function refuseRawNumber({ caller }: Call, { method }: ConfirmRequest): void {
	if (caller === "browser" || !method || "id" in method) return;
	throw invalidRequest(
		"Sending credit card numbers directly to the Stripe API is generally unsafe. Use a test payment method such as pm_card_visa, or the card element in a browser.",
		{ param: "payment_method_data[card][number]" },
	);
}
