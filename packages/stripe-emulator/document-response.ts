/** Returns an HTML page with its Content-Security-Policy. */
export function documentResponse(html: string, policy: string[]): Response {
	return new Response(html, {
		headers: {
			"Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": policy.join("; "),
		},
	});
}
