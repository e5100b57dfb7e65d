/** Timeout of the Worker's response, in milliseconds. */
export const responseTimeout = 9000;

/** Timeout of a browser's request, in milliseconds: longer, to receive the Worker's own error response. */
export const requestTimeout = responseTimeout + 1000;

/** Returns the result of `work`. Rejects after `timeout` milliseconds, but does not cancel `work`. */
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
