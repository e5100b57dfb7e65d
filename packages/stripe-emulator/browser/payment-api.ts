import type { StripeError } from "@stripe/stripe-js";
import { baseUrl } from "./base-url.ts";
import type { Result } from "./messages.ts";

/** How long the provider may take before the shopper is told that nobody answers, in milliseconds. */
export const responseTimeout = 10_000;

/** The id in a client secret, or null for anything else. */
export function paymentIntentId(clientSecret: string): string | null {
	return /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(clientSecret)?.[1] ?? null;
}

/** Neither of these rejects: an error is part of the answer. `path` is what follows /v1/. */
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
		return { error: noResponse() };
	}
}

/** The payment may have gone through all the same: only the account knows. */
export function noResponse(): StripeError {
	return {
		type: "api_connection_error",
		message: "The payment provider does not answer. Check your internet connection and try again.",
	};
}
