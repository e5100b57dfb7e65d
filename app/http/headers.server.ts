import type { StripeAccount } from "./services.server.ts";

/** Sets the security headers of every response of the Worker; files have those in public/_headers. The site has one
 *  Content-Security-Policy, because the first document's stays in force for every client navigation. */
export function setSecurityHeaders(
	headers: Headers,
	{ nonce, sources, isPersonal }: { nonce: string; sources: StripeAccount["sources"]; isPersonal: boolean },
): void {
	headers.set("Content-Security-Policy", contentSecurityPolicy(nonce, sources));
	headers.set("Strict-Transport-Security", strictTransportSecurity);
	headers.set("X-Content-Type-Options", "nosniff");
	// React Router sends its data without a charset
	if (headers.get("Content-Type") === "text/x-script") headers.set("Content-Type", "text/x-script; charset=utf-8");
	// with no-referrer, Chromium sends `Origin: null` with our own forms
	headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
	headers.set("Cross-Origin-Opener-Policy", "same-origin");
	headers.set("Cross-Origin-Resource-Policy", "same-origin");
	headers.set("Permissions-Policy", deniedFeatures);
	if (!headers.has("Cache-Control")) headers.set("Cache-Control", isPersonal ? "no-store" : "private, no-cache");
}

/** Lets browsers open the shop's host, also its static files, only over HTTPS for two years. When every subdomain uses
 *  HTTPS for good, add `; includeSubDomains; preload`: browsers then refuse HTTP on all of them. */
const strictTransportSecurity = "max-age=63072000";

/** Browser features that the shop never uses, denied so that injected scripts and frames cannot use them either. */
const deniedFeatures =
	`accelerometer browsing-topics camera display-capture geolocation gyroscope hid idle-detection local-fonts magnetometer
	microphone midi screen-wake-lock serial usb xr-spatial-tracking`
		.split(/\s+/)
		.map((feature) => `${feature}=()`)
		.join(", ");

/** `sources` are the hosts of Stripe.js (payments/stripe-config.server.ts). */
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
		// Vite adds styles by script. While its server restarts, a page waits for it in a worker, and then reloads.
		directives["style-src"] = ["'self'", "'unsafe-inline'"];
		directives["worker-src"] = ["blob:"];
	}
	return Object.entries(directives)
		.filter(([, values]) => values.length > 0)
		.map(([name, values]) => `${name} ${values.join(" ")}`)
		.join("; ");
}
