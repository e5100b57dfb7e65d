/** Returns the JSON body of every error: `code` is for programs, `message` for the shopper, `more` for what the page needs to
 *  continue. */
export function errorResponse(
	status: number,
	code: string,
	message: string,
	more: Record<string, unknown> = {},
): Response {
	return Response.json({ error: { code, message }, ...more }, { status });
}
