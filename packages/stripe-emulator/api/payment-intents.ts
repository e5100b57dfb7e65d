import type Stripe from "stripe";
import { newPaymentIntent } from "../objects/new-payment-intent.ts";
import {
	canceled,
	requireCapturable,
	requireConfirmable,
	withDetails,
	withPaymentMethod,
} from "../objects/payment-intent.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import { requireClientSecret } from "./access.ts";
import { findCustomer, markUsed, requireUsable, withCustomer } from "./attachments.ts";
import { requireReturnUrl } from "./challenge.ts";
import { captureCharge, payWithCard } from "./charge-card.ts";
import { noSuch, secretKeyRequired, unexpectedState } from "./errors.ts";
import { list } from "./list.ts";
import {
	type ConfirmRequest,
	readCancel,
	readCapture,
	readConfirm,
	readCreate,
	readUpdate,
} from "./payment-intent-parameters.ts";
import type { RequestedMethod } from "./payment-method-parameters.ts";
import { keepMethod, refuseRawNumber, takePart } from "./payment-methods.ts";
import type { Call, Route } from "./routes.ts";
import { search } from "./search.ts";

const all = /^\/v1\/payment_intents$/;
const one = /^\/v1\/payment_intents\/(\w+)$/;
const confirmation = /^\/v1\/payment_intents\/(\w+)\/confirm$/;
const cancellation = /^\/v1\/payment_intents\/(\w+)\/cancel$/;
const capturing = /^\/v1\/payment_intents\/(\w+)\/capture$/;
const searching = /^\/v1\/payment_intents\/search$/;
const withSecret = "with_client_secret";
const returns = "payment_intent";

export const paymentIntentRoutes: readonly Route[] = [
	{ name: "payment_intents.create", method: "POST", path: all, browsers: "refused", returns, prepare: create },
	{ name: "payment_intents.list", method: "GET", path: all, browsers: "refused", returns, prepare: listAll },
	{ name: "payment_intents.search", method: "GET", path: searching, browsers: "refused", returns, prepare: searchAll },
	{ name: "payment_intents.retrieve", method: "GET", path: one, browsers: withSecret, returns, prepare: retrieve },
	{ name: "payment_intents.update", method: "POST", path: one, browsers: "refused", returns, prepare: update },
	{
		name: "payment_intents.confirm",
		method: "POST",
		path: confirmation,
		browsers: withSecret,
		returns,
		prepare: confirm,
	},
	{ name: "payment_intents.capture", method: "POST", path: capturing, browsers: "refused", returns, prepare: capture },
	{ name: "payment_intents.cancel", method: "POST", path: cancellation, browsers: "refused", returns, prepare: cancel },
];

function create(call: Call) {
	const request = readCreate(call.params, takePart(call));
	refuseRawNumber(call, isCard(request.method), "payment_method_data[card][number]");
	return () => {
		const intent = withDetails(newPaymentIntent(request.intent, call.now), withCustomer(call, request.details));
		if (request.confirm) requireReturnUrl(intent, request.canRedirect);
		const method = request.method && keepMethod(call, request.method);
		if (method) requireUsable(method, intent);
		const ready = save(call, method ? withPaymentMethod(intent, method.paymentMethod.id) : intent);
		call.emit({ type: "payment_intent.created", data: { object: ready } });
		if (!request.confirm) return ready;
		if (method) return pay(call, ready, method, request);
		throw missingMethod(ready);
	};
}

function listAll(call: Call) {
	const customer = call.params.text("customer");
	const listed = list(call, "payment_intent", { equal: ["customer"] });
	return () => {
		if (customer !== undefined) findCustomer(call, customer, "customer");
		return listed();
	};
}

function searchAll(call: Call) {
	return search(call, "payment_intent", "/v1/payment_intents/search");
}

function retrieve(call: Call) {
	// a server may send the client secret, too
	const sent = call.clientSecret ?? call.params.take("client_secret") ?? null;
	call.params.only();
	return () => call.retrieved(findIntent({ ...call, clientSecret: sent }));
}

function update(call: Call) {
	const request = readUpdate(call.params, takePart(call));
	refuseRawNumber(call, isCard(request.method), "payment_method_data[card][number]");
	return () => {
		const before = findIntent(call);
		const intent = withDetails(before, withCustomer(call, request.details));
		if (!request.method) return save(call, intent);
		const method = keepMethod(call, request.method);
		requireUsable(method, intent, { payment_intent: before });
		return save(call, withPaymentMethod(intent, method.paymentMethod.id));
	};
}

function confirm(call: Call) {
	const request = readConfirm(call.params, takePart(call));
	refuseRawNumber(call, isCard(request.method), "payment_method_data[card][number]");
	// only a server may set off_session, error_on_requires_action and capture_method
	const { details, options } = request;
	const isServers = options.offSession || options.errorOnRequiresAction || details.captureMethod !== undefined;
	if (call.caller === "browser" && isServers) throw secretKeyRequired();
	return () => {
		const intent = findIntent(call);
		requireConfirmable(intent);
		if (call.caller === "server") requireReturnUrl(intent, request.canRedirect);
		call.confirming(intent);
		const method = keepMethod(call, request.method ?? methodOf(intent));
		requireUsable(method, intent, { payment_intent: intent });
		const ready = withPaymentMethod(withDetails(intent, request.details), method.paymentMethod.id);
		return pay(call, ready, method, request);
	};
}

function capture(call: Call) {
	const { amount, details } = readCapture(call.params);
	return () => {
		const intent = findIntent(call);
		requireCapturable(intent, amount);
		return captureCharge(call, withDetails(intent, details), amount);
	};
}

function cancel(call: Call) {
	const reason = readCancel(call.params);
	return () => {
		const intent = save(call, canceled(findIntent(call), reason, call.now));
		call.emit({ type: "payment_intent.canceled", data: { object: intent } });
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
	const used = markUsed(call, method, ready, ready.setup_future_usage);
	const { intent, error } = payWithCard(call, ready, used, options);
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

function isCard(method: RequestedMethod | undefined): boolean {
	return method !== undefined && "card" in method;
}
