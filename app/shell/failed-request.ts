import { TimeoutError } from "#app/http/timeout.ts";

/** Why a page cannot be shown. "broken": the page was received, but rendering failed in the browser or on the
 *  server. */
type FailureReason = "offline" | "unreachable" | "failed" | "outdated" | "broken";

/** Error messages for the shopper. */
export const explanations: Record<FailureReason, { title: string; advice: string }> = {
	offline: { title: "You're offline", advice: "Check your connection, then try again." },
	unreachable: { title: "We can't reach the shop", advice: "Check your connection, then try again." },
	failed: { title: "Something went wrong", advice: "Please try again in a moment." },
	outdated: { title: "The shop has been updated", advice: "Reload this page to get the latest version." },
	broken: { title: "Something went wrong", advice: "We can't show this page right now." },
};

export class FailedRequest extends Error {
	override readonly name = "FailedRequest";
	readonly reason: FailureReason;

	constructor(reason: FailureReason, options?: ErrorOptions) {
		super(reason, options);
		this.reason = reason;
	}
}

/** Returns why a request failed, based on the thrown value: fetch throws a TypeError if there is no response, and a
 *  DOMException if its signal times out. */
export function reasonOf(error: unknown): FailureReason {
	if (error instanceof FailedRequest) return error.reason;
	if (!navigator.onLine) return "offline";
	if (error instanceof TypeError || error instanceof DOMException) return "unreachable";
	return error instanceof TimeoutError ? "unreachable" : "failed";
}
