import { logError } from "./log.server.ts";

/** What `work` comes to, or `otherwise` when it fails or takes more than `limit` milliseconds: a browser that waits for
 *  an answer about money gets one, and the log gets the reason. The work may still finish later, so `otherwise` must
 *  be true in either case. */
export async function answerInTime<Answer>(
	limit: number,
	work: () => Promise<Answer>,
	otherwise: () => Answer,
): Promise<Answer> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`No answer within ${limit} ms.`)), limit);
	});
	try {
		return await Promise.race([work(), late]);
	} catch (error) {
		logError("payment_unavailable", error);
		return otherwise();
	} finally {
		clearTimeout(timer);
	}
}
