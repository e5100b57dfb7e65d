/** The one shape in which JSON routes say no: `code` is for programs, `message` for the shopper, `more` whatever else
 *  the page needs in order to go on. */
export function problem(status: number, code: string, message: string, more: Record<string, unknown> = {}): Response {
	return Response.json({ error: { code, message }, ...more }, { status });
}
