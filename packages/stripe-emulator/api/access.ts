import type Stripe from "stripe";
import type { Keys } from "../keys.ts";
import { type ErrorBody, invalidKey, invalidRequest, missingKey } from "./errors.ts";
import type { Parameters } from "./parameters.ts";

/** Who is asking: the shop's server with the secret key, or a shopper's browser with the publishable one. */
export type Caller = "server" | "browser";

export function bearerKey(request: Request): string | undefined {
	const [scheme, key] = (request.headers.get("Authorization") ?? "").split(" ", 2);
	return scheme?.toLowerCase() === "bearer" && key ? key : undefined;
}

/** Throws the 401 of a key that is missing or not one of this account's. A browser may send its key as a parameter. */
export function callerOf(bearer: string | undefined, params: Parameters, keys: Keys): Caller {
	const key = bearer ?? params.text("key");
	if (key === undefined) throw missingKey();
	if (key === keys.secretKey && bearer !== undefined) return "server";
	if (key === keys.publishableKey) return "browser";
	throw invalidKey(key);
}

/** A browser may touch only the intent whose client secret it knows. */
export function requireClientSecret(intent: Stripe.PaymentIntent, clientSecret: string): void {
	if (intent.client_secret === clientSecret) return;
	throw invalidRequest("The client_secret provided does not match the PaymentIntent.", {
		code: "resource_missing",
		param: "client_secret",
	});
}

/** The part of an object that a browser gets to see: of an intent what is public, of what it made itself everything. */
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

/** An error as a browser gets to see it. */
export function browserError({ payment_intent: intent, ...error }: ErrorBody) {
	return intent ? { ...error, payment_intent: publicPart(intent) } : error;
}
