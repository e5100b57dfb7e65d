/** Returns a response of the emulator with its security headers. Its own Cache-Control and Content-Security-Policy are
 *  kept. */
export function withSecurityHeaders(response: Response): Response {
	const secured = new Response(response.body, response);
	const { headers } = secured;
	headers.set("Cross-Origin-Resource-Policy", "same-origin");
	// not no-referrer: with that Chromium sends `Origin: null` with the page's own forms
	headers.set("Referrer-Policy", "same-origin");
	headers.set("X-Content-Type-Options", "nosniff");
	if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
	if (!headers.has("Content-Security-Policy")) {
		headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
	}
	return secured;
}
