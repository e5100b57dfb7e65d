import { requestTimeout, withTimeout } from "#app/ui/timeout.ts";
import { unavailableResponse } from "./error-response.server.ts";
import { logError } from "./log.server.ts";

/** The timeouts of a deployed shop, in milliseconds. Tests set their own. */
export const timeouts = {
	/** Timeout of the work of an action or a loader that waits for D1 or Stripe. When it expires, the response is a 503
	 *  or, for a poll of a payment, `checking`. It leaves time for a call to Stripe with two attempts, and for D1. */
	work: 8000,
	/** Timeout of a response, once the request has been received. Receiving a body may take as long. */
	response: requestTimeout - 1000,
	/** Timeout of a read from D1 that a page can do without: the customer's name, or a newer catalog. */
	read: 1500,
	/** Timeout of one cron run. */
	cron: 4 * 60_000,
	/** Timeout of one attempt of a call to Stripe. The SDK retries once. */
	stripeCall: 3000,
	/** Timeout of one call to a customer's feed. */
	feed: 1000,
	/** Timeout of one call to a rate limiter. */
	rateLimit: 1000,
	/** Maximum wait of a sign-in in the password hash queue. A sign-in that would wait longer returns 429. */
	hashQueue: 4000,
};

/** Returns the result of `work`. If `work` fails or takes more than `timeout` milliseconds, logs why and returns the
 *  result of `fallback`. The work may still finish later, so the fallback must be true in either case. */
export async function withFallback<Result>(
	timeout: number,
	work: () => Promise<Result>,
	fallback: () => Result | Promise<Result>,
): Promise<Result> {
	try {
		return await withTimeout(timeout, work());
	} catch (error) {
		logError("unavailable", error);
		return fallback();
	}
}

/** Returns the result of `work`. If `work` fails or takes more than `timeout` milliseconds, logs why and throws the 503
 *  response. */
export function orUnavailable<Result>(timeout: number, work: () => Promise<Result>): Promise<Result> {
	return withFallback(timeout, work, () => {
		throw unavailableResponse();
	});
}
