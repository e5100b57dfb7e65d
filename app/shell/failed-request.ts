/** Why a page cannot be shown, for the shopper. `unreachable`: the request failed, and trying again may help.
 *  `outdated`: a newer build of the shop no longer contains the page's code, so only a reload helps. `broken`:
 *  rendering the page failed. */
export const explanations = {
	unreachable: { title: "We can't reach the shop", advice: "Check your connection, then try again." },
	outdated: { title: "The shop has been updated", advice: "This page can only be opened after a reload." },
	broken: { title: "Something went wrong", advice: "We can't show this page right now." },
};

export class FailedRequest extends Error {
	readonly reason: "unreachable" | "outdated";

	constructor(reason: "unreachable" | "outdated", options?: ErrorOptions) {
		super(reason, options);
		this.reason = reason;
	}
}
