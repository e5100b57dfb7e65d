/** Timeout of a browser's request, in milliseconds. The Worker's is shorter, so that its error response arrives. */
export const requestTimeout = 10_000;

/** Returns the result of `work`. Rejects after `timeout` milliseconds, but does not cancel `work`. */
export async function withTimeout<Result>(timeout: number, work: Promise<Result>): Promise<Result> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new DOMException(`Timed out after ${timeout} ms.`, "TimeoutError")), timeout);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
