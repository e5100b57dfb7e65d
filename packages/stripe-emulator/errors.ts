import type Stripe from "stripe";

/** The `error` object of an error response. */
export interface ErrorBody {
	type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
	message: string;
	code?: string;
	decline_code?: string;
	doc_url?: string;
	param?: string;
	charge?: string;
	payment_intent?: Stripe.PaymentIntent;
	payment_method?: Stripe.PaymentMethod;
}

/** An error that is returned as a JSON error response like Stripe's. */
export class ApiError extends Error {
	readonly status: number;
	readonly body: ErrorBody;

	constructor(status: number, body: ErrorBody) {
		super(body.message);
		this.status = status;
		this.body = body;
	}
}

export function docUrl(code: string): string {
	return `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}`;
}

export function invalidRequest(message: string, rest: { code?: string; param?: string } = {}, status = 400): ApiError {
	const documented = rest.code ? { doc_url: docUrl(rest.code) } : {};
	return new ApiError(status, { type: "invalid_request_error", message, ...rest, ...documented });
}

export function missingParameter(param: string): ApiError {
	return invalidRequest(`Missing required param: ${param}.`, { code: "parameter_missing", param });
}

export function noSuch(object: string, id: string, param: string): ApiError {
	return invalidRequest(`No such ${object}: '${id}'`, { code: "resource_missing", param }, 404);
}

/** Returns a 400 error with the intent: the client's next step depends on the intent's status. */
export function unexpectedState(message: string, intent: Stripe.PaymentIntent): ApiError {
	const code = "payment_intent_unexpected_state";
	return new ApiError(400, {
		type: "invalid_request_error",
		code,
		doc_url: docUrl(code),
		message,
		payment_intent: intent,
	});
}

export const missingKey = () =>
	invalidRequest(
		"You did not provide an API key. Send it as 'Authorization: Bearer YOUR_SECRET_KEY', or as the user name of HTTP Basic.",
		{},
		401,
	);

/** Returns a 401 error that shows only the ends of the key, in case a real key was sent. */
export function invalidKey(key: string): ApiError {
	const shown = `${key.slice(0, 8)}${"*".repeat(8)}${key.length > 16 ? key.slice(-4) : ""}`;
	return invalidRequest(`Invalid API Key provided: ${shown}`, {}, 401);
}

export const secretKeyRequired = () =>
	invalidRequest(
		"This API call cannot be made with a publishable API key. Please use a secret API key.",
		{ code: "secret_key_required" },
		401,
	);

export const rawNumberRefused = (param: string) =>
	invalidRequest(
		"Sending credit card numbers directly to the Stripe API is generally unsafe. Use a test payment method such as pm_card_visa, or the card element in a browser.",
		{ param },
	);

/** Returns the error for a URL that the emulator does not support. `endpoints` are the names of those it supports. */
export function unsupportedUrl(method: string, path: string, endpoints: string[]): ApiError {
	return invalidRequest(
		`Unrecognized request URL (${method}: ${path}). The Stripe emulator supports ${endpoints.join(", ")}.`,
	);
}

export function unsupportedParameter(param: string, supported: string[]): ApiError {
	const names = supported.join(", ") || "no parameters";
	const message = `Received unknown parameter: ${param}. Here, the Stripe emulator supports ${names}.`;
	return invalidRequest(message, { code: "parameter_unknown", param });
}

export const rateLimited = () => invalidRequest("Request rate limit exceeded.", { code: "rate_limit" }, 429);

export function idempotencyMismatch(key: string): ApiError {
	return new ApiError(400, {
		type: "idempotency_error",
		message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
	});
}

export function idempotencyKeyInUse(key: string): ApiError {
	return new ApiError(409, {
		type: "idempotency_error",
		code: "idempotency_key_in_use",
		doc_url: docUrl("idempotency_key_in_use"),
		message: `There is currently another in-progress request using this Stripe Idempotency Key (${key}). Try again when it has ended.`,
	});
}

export const serverError = () =>
	new ApiError(500, { type: "api_error", message: "Internal error in the Stripe emulator. See its log." });
