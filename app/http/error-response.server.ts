import { unavailable } from "#app/ui/unavailable.ts";

/** Returns an error response with a JSON body: `code` is for programs, `message` for the shopper, and `more` is what
 *  the page needs to continue. */
export function errorResponse(
	status: number,
	code: string,
	message: string,
	more: Record<string, unknown> = {},
): Response {
	return Response.json({ error: { code, message }, ...more }, { status });
}

export const unavailableResponse = () => errorResponse(503, "unavailable", unavailable);
