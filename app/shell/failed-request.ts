/** Why a page cannot be shown, for the shopper. `unreachable`: the request failed, and trying again may help. `broken`:
 *  rendering the page failed. */
export const explanations = {
	unreachable: { title: "We can't reach the shop", advice: "Check your connection, then try again." },
	broken: { title: "Something went wrong", advice: "We can't show this page right now." },
};

/** The shop did not answer a request, or with an error. */
export class Unreachable extends Error {}
