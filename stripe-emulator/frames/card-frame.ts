import frameStyle from "../browser/card-frame.css?raw";
import frameScript from "../browser/card-frame.ts?script";

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Secure card payment input frame</title>
<style>${frameStyle}</style>
</head>
<body>
<form novalidate>
<div class="card">
<span class="brand" role="img" aria-label="Card"></span>
<input name="cardnumber" autocomplete="cc-number" inputmode="numeric" placeholder="Card number" aria-label="Credit or debit card number" aria-invalid="false" spellcheck="false">
<input name="exp-date" autocomplete="cc-exp" inputmode="numeric" placeholder="MM / YY" aria-label="Credit or debit card expiration date" aria-invalid="false" spellcheck="false">
<input name="cvc" autocomplete="cc-csc" inputmode="numeric" placeholder="CVC" aria-label="Credit or debit card CVC/CVV" aria-invalid="false" spellcheck="false">
</div>
<p class="note">Test payments: no real money</p>
</form>
<script>${frameScript}</script>
</body>
</html>
`;

/** The document with the card fields. Its sandbox gives it an origin of its own, so that the shop's page cannot read
 *  what is typed; `origin` is where it may send it, the shop's own with the emulated API. */
export async function cardFrame(origin: string): Promise<Response> {
	const [script, style] = await Promise.all([hashOf(frameScript), hashOf(frameStyle)]);
	const policy = [
		"sandbox allow-scripts",
		"default-src 'none'",
		`script-src ${script}`,
		`style-src ${style}`,
		`connect-src ${origin}/stripe-emulator/v1/`,
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'self'",
	];
	return new Response(html, {
		headers: {
			"Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": policy.join("; "),
			"Cache-Control": "no-store",
			"Referrer-Policy": "no-referrer",
			"X-Content-Type-Options": "nosniff",
		},
	});
}

async function hashOf(inlineText: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(inlineText));
	return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
