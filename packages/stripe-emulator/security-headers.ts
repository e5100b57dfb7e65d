/** Returns the response with the emulator's security headers. Keeps the response's own Cache-Control and
 *  Content-Security-Policy. */
export function withSecurityHeaders(response: Response): Response {
	const secured = new Response(response.body, response);
	const { headers } = secured;
	headers.set("Cross-Origin-Resource-Policy", "same-origin");
	// not no-referrer, with which Chromium sends `Origin: null` when the page submits its own forms
	headers.set("Referrer-Policy", "same-origin");
	headers.set("X-Content-Type-Options", "nosniff");
	if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
	if (!headers.has("Content-Security-Policy")) {
		headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
	}
	return secured;
}
