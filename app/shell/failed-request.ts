/** Why a page cannot be shown. "broken": it was received, and rendering it failed here or on the server. */
type FailureReason = "offline" | "unreachable" | "failed" | "outdated" | "broken";

/** What the shopper reads: a title, and what to do. */
const explanations: Record<FailureReason, readonly [string, string]> = {
	offline: ["You're offline", "Check your connection, then try again."],
	unreachable: ["We can't reach the shop", "Check your connection, then try again."],
	failed: ["Something went wrong", "Please try again in a moment."],
	outdated: ["The shop has been updated", "This page needs the latest version. Reload to get it."],
	broken: ["Something went wrong", "We can't show this page right now."],
};

export class FailedRequest extends Error {
	override readonly name = "FailedRequest";
	readonly reason: FailureReason;

	constructor(reason: FailureReason, options?: ErrorOptions) {
		super(reason, options);
		this.reason = reason;
	}
}

/** Returns why a request failed, from whatever was thrown. Browsers report a request without a response as a TypeError, and
 *  one that took too long as a DOMException. */
export function reasonOf(error: unknown): FailureReason {
	if (error instanceof FailedRequest) return error.reason;
	if (!navigator.onLine) return "offline";
	return error instanceof TypeError || error instanceof DOMException ? "unreachable" : "failed";
}

export function explain(reason: FailureReason) {
	const [title, advice] = explanations[reason];
	return { title, advice };
}
