export class TimeoutError extends Error {}

/** Rejects with a TimeoutError if `work` takes more than `timeout` milliseconds. The work may still finish. */
export async function withTimeout<Result>(timeout: number, work: Promise<Result>): Promise<Result> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new TimeoutError(`Timed out after ${timeout} ms.`)), timeout);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
