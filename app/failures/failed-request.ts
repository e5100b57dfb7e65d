import { isRouteErrorResponse } from "react-router";
import { interceptedAdvice } from "#app/tab/intercepted.ts";
import { isLike } from "#app/tab/is-like.ts";
import { tryApi } from "#app/ui/try-api.ts";
import { unavailable } from "#app/ui/unavailable.ts";

/** Why a page cannot be shown or a form was not accepted, for the shopper. */
export type Explanation = Record<"title" | "advice", string>;

/** The causes. `unreachable`: no response has arrived. `intercepted`: something other than the shop has responded.
 *  `failing`: the shop, or a proxy, has responded with an error. `broken`: rendering the page has failed. */
export const explanations = {
	unreachable: { title: "We can't reach the shop", advice: "Check your connection, then try again." },
	// only forms show it
	intercepted: { title: "", advice: interceptedAdvice },
	failing: { title: "Something's wrong on our end", advice: unavailable },
	broken: { title: "Something went wrong", advice: "We can't show this page right now." },
} satisfies Record<string, Explanation>;

/** Returns the message of an error response (http/error-response.server.ts), or null if the error contains no response. */
export function readErrorResponse(error: unknown): Explanation | null {
	if (!isRouteErrorResponse(error)) return null;
	const { status, data } = error;
	const { title, advice } = explanations[status < 500 ? "broken" : "failing"];
	// text, unless a loader or an action has thrown it
	const body: unknown = typeof data === "string" ? tryApi(() => JSON.parse(data)) : data;
	return { title, advice: isLike(body, { error: { message: "" } }) ? body.error.message : advice };
}

/** A request for a page's data has failed. */
export class FailedRequest extends Error {
	constructor(readonly explanation: Explanation) {
		super(explanation.title);
	}
}
