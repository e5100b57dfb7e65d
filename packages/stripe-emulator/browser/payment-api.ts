import type { StripeError } from "@stripe/stripe-js";
import { baseUrl } from "./base-url.ts";
import type { Result } from "./messages.ts";

/** The timeout of API requests and of loading frames, in milliseconds. */
export const responseTimeout = 10_000;

/** Returns the intent's id from its client secret, or null for any other string. */
export function paymentIntentId(clientSecret: string): string | null {
	return /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(clientSecret)?.[1] ?? null;
}

/** Never rejects: the result includes connection errors. `path` is relative to /v1/. */
export function post<Value>(path: string, form: Record<string, string>): Promise<Result<Value>> {
	return request(path, { method: "POST", body: new URLSearchParams(form) });
}

export function get<Value>(path: string, query: Record<string, string>): Promise<Result<Value>> {
	return request(`${path}?${new URLSearchParams(query)}`, {});
}

async function request<Value>(path: string, init: RequestInit): Promise<Result<Value>> {
	try {
		const signal = AbortSignal.timeout(responseTimeout);
		const response = await fetch(`${baseUrl}v1/${path}`, { ...init, credentials: "omit", signal });
		const body: Value & { error?: StripeError } = await response.json();
		return body.error ? { error: body.error } : { done: body };
	} catch {
		return { error: connectionError() };
	}
}

/** The request may have succeeded despite this error: the payment's outcome is unknown. */
export function connectionError(): StripeError {
	return {
		type: "api_connection_error",
		message: "The payment provider isn't responding. Check your internet connection and try again.",
	};
}
