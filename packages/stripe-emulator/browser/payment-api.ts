import type { StripeError } from "@stripe/stripe-js";
import { apiUrl } from "./base-url.ts";
import type { Result } from "./messages.ts";

/** Timeout of API requests, frame loads and frame replies, in milliseconds. */
export const responseTimeout = 10_000;

/** Returns the id of the intent with this client secret, or null if the string is not a client secret. */
export function paymentIntentId(clientSecret: string): string | null {
	return /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(clientSecret)?.[1] ?? null;
}

/** Sends a POST request to `path`, relative to /v1/. Never rejects: a connection error is returned as `{ error }`. */
export function post<Value>(path: string, form: Record<string, string>): Promise<Result<Value>> {
	return request(path, { method: "POST", body: new URLSearchParams(form) });
}

export function get<Value>(path: string, query: Record<string, string>): Promise<Result<Value>> {
	return request(`${path}?${new URLSearchParams(query)}`, {});
}

async function request<Value>(path: string, init: RequestInit): Promise<Result<Value>> {
	try {
		const signal = AbortSignal.timeout(responseTimeout);
		const response = await fetch(apiUrl + path, { ...init, credentials: "omit", signal });
		const body: Value & { error?: StripeError } = await response.json();
		return body.error ? { error: body.error } : { done: body };
	} catch {
		return { error: connectionError() };
	}
}

/** Returns the error for a missing response. The request may still have succeeded, so the outcome is unknown. */
export function connectionError(): StripeError {
	return {
		type: "api_connection_error",
		message: "The payment provider isn't responding. Check your internet connection and try again.",
	};
}
