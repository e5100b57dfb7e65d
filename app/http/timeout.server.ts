import { logError } from "./log.server.ts";

/** What `work` comes to, or `otherwise` when it fails or takes more than `limit` milliseconds: whoever waits gets an
 *  answer, and the log gets the reason. The work may still finish later, so `otherwise` must be true in either case. */
export async function withFallback<Answer>(
	limit: number,
	work: () => Promise<Answer>,
	otherwise: () => Answer,
): Promise<Answer> {
	try {
		return await withTimeout(limit, work());
	} catch (error) {
		logError("unavailable", error);
		return otherwise();
	}
}

/** What `work` comes to, within `limit` milliseconds; rejects after that, though the work may still finish. */
export async function withTimeout<Result>(limit: number, work: Promise<Result>): Promise<Result> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`No answer within ${limit} ms.`)), limit);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
