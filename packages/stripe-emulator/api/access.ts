import type Stripe from "stripe";
import { type ErrorBody, invalidKey, invalidRequest, missingKey } from "../errors.ts";
import type { Keys } from "../keys.ts";
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

/** Returns the caller that the key identifies. A browser may send its key as a parameter. Throws a 401 ApiError for a
 *  missing or unknown key. */
export function callerOf(inHeader: string | undefined, params: Parameters, keys: Keys): Caller {
	const key = inHeader ?? params.text("key");
	if (key === undefined) throw missingKey();
	if (key === keys.secretKey && inHeader !== undefined) return "server";
	if (key === keys.publishableKey) return "browser";
	throw invalidKey(key);
}

/** Throws an ApiError unless `clientSecret` matches the intent's client secret. */
export function requireClientSecret(intent: Stripe.PaymentIntent, clientSecret: string): void {
	if (intent.client_secret === clientSecret) return;
	throw invalidRequest("The client_secret provided does not match the PaymentIntent.", {
		code: "resource_missing",
		param: "client_secret",
	});
}

/** Returns what a browser may read: the public fields of a PaymentIntent, or all fields of any other object. */
export function browserView(object: object): object {
	return isIntent(object) ? publicPart(object) : object;
}

function isIntent(object: object): object is Stripe.PaymentIntent {
	return "object" in object && object.object === "payment_intent";
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

/** Returns the error with only the public fields of its PaymentIntent. */
export function browserError({ payment_intent: intent, ...error }: ErrorBody) {
	return intent ? { ...error, payment_intent: publicPart(intent) } : error;
}
