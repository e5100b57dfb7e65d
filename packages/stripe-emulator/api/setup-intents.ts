import type Stripe from "stripe";
import {
	newSetupIntent,
	requireOpen,
	setupCanceled,
	withSetupDetails,
	withSetupMethod,
} from "../objects/setup-intent.ts";
import { requireClientSecret } from "./access.ts";
import { requireUsable, withCustomer } from "./attachments.ts";
import { requireReturnUrl } from "./challenge.ts";
import { noSuch, unexpectedSetupState } from "./errors.ts";
import { list } from "./list.ts";
import type { RequestedMethod } from "./payment-method-parameters.ts";
import { keepMethod, refuseRawNumber, takePart } from "./payment-methods.ts";
import type { Call, Route } from "./routes.ts";
import { saveSetup, setUpCard } from "./set-up-card.ts";
import { readSetupCancel, readSetupConfirm, readSetupCreate, readSetupUpdate } from "./setup-intent-parameters.ts";

const all = /^\/v1\/setup_intents$/;
const one = /^\/v1\/setup_intents\/(\w+)$/;
const confirmation = /^\/v1\/setup_intents\/(\w+)\/confirm$/;
const cancellation = /^\/v1\/setup_intents\/(\w+)\/cancel$/;
const attempts = /^\/v1\/setup_attempts$/;
const rest = { browsers: "refused", returns: "setup_intent" } as const;
const shared = { browsers: "with_client_secret", returns: "setup_intent" } as const;
const attempt = { browsers: "refused", returns: "setup_attempt" } as const;

export const setupIntentRoutes: readonly Route[] = [
	{ name: "setup_intents.create", method: "POST", path: all, ...rest, prepare: create },
	{ name: "setup_intents.list", method: "GET", path: all, ...rest, prepare: listAll },
	{ name: "setup_intents.retrieve", method: "GET", path: one, ...shared, prepare: retrieve },
	{ name: "setup_intents.update", method: "POST", path: one, ...rest, prepare: update },
	{ name: "setup_intents.confirm", method: "POST", path: confirmation, ...shared, prepare: confirm },
	{ name: "setup_intents.cancel", method: "POST", path: cancellation, ...rest, prepare: cancel },
	{ name: "setup_attempts.list", method: "GET", path: attempts, ...attempt, prepare: listAttempts },
];

function create(call: Call) {
	const request = readSetupCreate(call.params, takePart(call));
	refuseNumber(call, request.method);
	return () => {
		const intent = withSetupDetails(newSetupIntent(request.intent, call.now), withCustomer(call, request.details));
		if (request.confirm) requireReturnUrl(intent, request.session.canRedirect);
		const method = request.method && keepMethod(call, request.method);
		if (method) requireUsable(method, intent);
		const ready = saveSetup(call, method ? withSetupMethod(intent, method.paymentMethod.id) : intent);
		call.emit({ type: "setup_intent.created", data: { object: ready } });
		if (!request.confirm) return ready;
		if (method) return setUpCard(call, ready, method, request.session.redirectTo);
		throw missingMethod(ready);
	};
}

function update(call: Call) {
	const request = readSetupUpdate(call.params, takePart(call));
	refuseNumber(call, request.method);
	return () => {
		const before = findSetupIntent(call);
		const intent = withSetupDetails(before, withCustomer(call, request.details));
		if (!request.method) return saveSetup(call, intent);
		requireOpen(before, "update");
		const method = keepMethod(call, request.method);
		requireUsable(method, intent, { setup_intent: before });
		return saveSetup(call, withSetupMethod(intent, method.paymentMethod.id));
	};
}

function confirm(call: Call) {
	const { method: requested, session } = readSetupConfirm(call.params, takePart(call));
	refuseNumber(call, requested);
	return () => {
		const intent = findSetupIntent(call);
		const chosen = requested ?? methodOf(intent);
		requireOpen(intent, "confirm");
		if (call.caller === "server") requireReturnUrl(intent, session.canRedirect);
		const method = keepMethod(call, chosen);
		requireUsable(method, intent, { setup_intent: intent });
		return setUpCard(call, withSetupMethod(intent, method.paymentMethod.id), method, session.redirectTo);
	};
}

function cancel(call: Call) {
	const reason = readSetupCancel(call.params);
	return () => {
		const intent = saveSetup(call, setupCanceled(findSetupIntent(call), reason));
		call.emit({ type: "setup_intent.canceled", data: { object: intent } });
		return intent;
	};
}

function retrieve(call: Call) {
	call.params.only();
	return () => findSetupIntent(call);
}

function listAll(call: Call) {
	return list(call, "setup_intent", { equal: ["customer", "payment_method"] });
}

function listAttempts(call: Call) {
	call.params.required("setup_intent");
	return list(call, "setup_attempt", { equal: ["setup_intent"] });
}

/** Returns the SetupIntent whose id is in the path. Throws a 404 ApiError if it does not exist, or a 400 if a browser
 *  sent the wrong client secret. */
export function findSetupIntent({ store, id, clientSecret }: Call): Stripe.SetupIntent {
	const intent = store.find("setup_intent", id);
	if (!intent) throw noSuch("setupintent", id, "intent");
	if (clientSecret !== null) requireClientSecret(intent, clientSecret);
	return intent;
}

/** Returns the PaymentMethod already attached to the SetupIntent; throws if there is none. */
function methodOf(intent: Stripe.SetupIntent): { id: string } {
	if (typeof intent.payment_method === "string") return { id: intent.payment_method };
	throw missingMethod(intent);
}

function missingMethod(intent: Stripe.SetupIntent) {
	return unexpectedSetupState(
		"You cannot confirm this SetupIntent because it's missing a payment method. Pass one in this call or update the SetupIntent first.",
		intent,
	);
}

function refuseNumber(call: Call, method: RequestedMethod | undefined): void {
	const isCard = method !== undefined && "card" in method;
	refuseRawNumber(call, isCard, "payment_method_data[card][number]");
}
