import { logError } from "./log.server.ts";

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

/** Rejects if `work` takes more than `timeout` milliseconds. The work may still finish. */
export async function withTimeout<Result>(timeout: number, work: Promise<Result>): Promise<Result> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`Timed out after ${timeout} ms.`)), timeout);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
