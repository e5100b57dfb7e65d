import type Stripe from "stripe";
import type { Keys } from "../keys.ts";
import { type ErrorBody, invalidKey, invalidRequest, missingKey } from "./errors.ts";
import type { Parameters } from "./parameters.ts";

/** The sender of a request: a server with the secret key, or a browser with the publishable key. */
export type Caller = "server" | "browser";

/** Returns the API key from the Authorization header: a Bearer token, or the user name of HTTP Basic. */
export function headerKey(request: Request): string | undefined {
	const [scheme, credentials = ""] = (request.headers.get("Authorization") ?? "").split(" ", 2);
	if (scheme?.toLowerCase() === "bearer") return credentials || undefined;
	if (scheme?.toLowerCase() !== "basic") return undefined;
	try {
		return atob(credentials).split(":", 1)[0] || undefined;
	} catch {
		return undefined;
	}
}

/** Returns the caller that a key identifies, or undefined for an unknown key. `inHeader` is false for a key that was
 *  sent as a parameter, as browsers do. */
export function callerWith(key: string | undefined, inHeader: boolean, keys: Keys): Caller | undefined {
	if (key === undefined) return undefined;
	const any = keys.acceptsAnyTestKey ?? false;
	if (inHeader && (key === keys.secretKey || (any && /^[sr]k_test_/.test(key)))) return "server";
	return key === keys.publishableKey || (any && key.startsWith("pk_test_")) ? "browser" : undefined;
}

/** Returns the caller of a request. Throws a 401 ApiError for a missing or unknown key. */
export function callerOf(inHeader: string | undefined, params: Parameters, keys: Keys): Caller {
	const key = inHeader ?? params.text("key");
	if (key === undefined) throw missingKey();
	const caller = callerWith(key, inHeader !== undefined, keys);
	if (caller) return caller;
	throw invalidKey(key);
}

type Intent = Stripe.PaymentIntent | Stripe.SetupIntent;

/** Throws an ApiError unless `clientSecret` matches the intent's client secret. */
export function requireClientSecret(intent: Intent, clientSecret: string): void {
	if (intent.client_secret === clientSecret) return;
	const name = intent.object === "payment_intent" ? "PaymentIntent" : "SetupIntent";
	throw invalidRequest(`The client_secret provided does not match the ${name}.`, {
		code: "resource_missing",
		param: "client_secret",
	});
}

/** Returns what a browser may read: the public fields of an intent, or all fields of any other object. */
export function browserView(object: object): object {
	if (!isIntent(object)) return object;
	return object.object === "payment_intent" ? publicPart(object) : publicSetup(object);
}

function isIntent(object: object): object is Intent {
	return "object" in object && (object.object === "payment_intent" || object.object === "setup_intent");
}

function publicSetup(intent: Stripe.SetupIntent) {
	return {
		id: intent.id,
		object: intent.object,
		cancellation_reason: intent.cancellation_reason,
		client_secret: intent.client_secret,
		created: intent.created,
		description: intent.description,
		last_setup_error: intent.last_setup_error,
		livemode: intent.livemode,
		next_action: intent.next_action,
		payment_method: intent.payment_method,
		payment_method_types: intent.payment_method_types,
		status: intent.status,
		usage: intent.usage,
	};
}

function publicPart(intent: Stripe.PaymentIntent) {
	return {
		id: intent.id,
		object: intent.object,
		amount: intent.amount,
		canceled_at: intent.canceled_at,
		cancellation_reason: intent.cancellation_reason,
		capture_method: intent.capture_method,
		client_secret: intent.client_secret,
		confirmation_method: intent.confirmation_method,
		created: intent.created,
		currency: intent.currency,
		description: intent.description,
		last_payment_error: intent.last_payment_error,
		livemode: intent.livemode,
		next_action: intent.next_action,
		payment_method: intent.payment_method,
		payment_method_types: intent.payment_method_types,
		receipt_email: intent.receipt_email,
		setup_future_usage: intent.setup_future_usage,
		shipping: intent.shipping,
		status: intent.status,
	};
}

/** Returns the error with only the public fields of its intent. */
export function browserError({ payment_intent: payment, setup_intent: setup, ...error }: ErrorBody) {
	return {
		...error,
		...(payment && { payment_intent: publicPart(payment) }),
		...(setup && { setup_intent: publicSetup(setup) }),
	};
}
