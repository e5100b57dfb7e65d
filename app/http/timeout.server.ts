import { logError } from "./log.server.ts";
import { withTimeout } from "./timeout.ts";

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
