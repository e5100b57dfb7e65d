import type { StripeAccount } from "#app/services.server.ts";

/** Puts the security headers on any answer of the Worker, so that none (a redirect, a refusal, data for the router)
 *  can be forgotten. What is made for a customer is kept by nobody; what is made for a guest, by their own browser, for
 *  the way back. There is one Content-Security-Policy for the whole site: the first document's governs every
 *  later client navigation, and a reload on the way to /payment would lose the basket. */
export function setSecurityHeaders(
	headers: Headers,
	{ nonce, sources, personal }: { nonce: string; sources: StripeAccount["sources"]; personal: boolean },
): void {
	headers.set("Content-Security-Policy", contentSecurityPolicy(nonce, sources));
	headers.set("Strict-Transport-Security", "max-age=63072000; includeSubDomains; preload");
	headers.set("X-Content-Type-Options", "nosniff");
	// React Router says of its own data only that it is a text
	if (headers.get("Content-Type") === "text/x-script") headers.set("Content-Type", "text/x-script; charset=utf-8");
	// not no-referrer: with that Chromium sends `Origin: null` on our own forms
	headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
	headers.set("Cross-Origin-Opener-Policy", "same-origin");
	headers.set("Cross-Origin-Resource-Policy", "same-origin");
	headers.set("Permissions-Policy", nothingOf);
	if (!headers.has("Cache-Control")) headers.set("Cache-Control", personal ? "no-store" : "private, no-cache");
}

/** What a shop has no use for, and no script that got into it, or frame, should have either. */
const nothingOf = [
	...[
		"accelerometer",
		"browsing-topics",
		"camera",
		"display-capture",
		"geolocation",
		"gyroscope",
		"hid",
		"idle-detection",
	],
	...["local-fonts", "magnetometer", "microphone", "midi", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"],
]
	.map((feature) => `${feature}=()`)
	.join(", ");

function contentSecurityPolicy(nonce: string, sources: StripeAccount["sources"]): string {
	const directives: Record<string, string[]> = {
		"default-src": ["'none'"],
		"script-src": ["'self'", `'nonce-${nonce}'`, ...sources.script],
		"style-src": ["'self'"],
		"img-src": ["'self'"],
		"connect-src": ["'self'", ...sources.connect],
		"frame-src": sources.frame,
		"form-action": ["'self'"],
		"base-uri": ["'none'"],
		"frame-ancestors": ["'none'"],
	};
	if (import.meta.env.DEV) {
		// Vite's dev server puts styles into the page by script and talks to it over a WebSocket
		directives["style-src"] = ["'self'", "'unsafe-inline'"];
		directives["connect-src"]?.push("ws:");
	}
	return Object.entries(directives)
		.filter(([, values]) => values.length > 0)
		.map(([name, values]) => `${name} ${values.join(" ")}`)
		.join("; ");
}
