import { logError } from "./log.server.ts";
import { withTimeout } from "./timeout.ts";

/** Returns the result of `work`, or of `fallback` when it fails or takes more than `timeout` milliseconds, and logs why. The
 *  work may still finish later, so `fallback` must be true in either case. */
export async function withFallback<Result>(
	timeout: number,
	work: () => Promise<Result>,
	fallback: () => Result,
): Promise<Result> {
	try {
		return await withTimeout(timeout, work());
	} catch (error) {
		logError("unavailable", error);
		return fallback();
	}
}
