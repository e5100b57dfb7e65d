import { documentResponse } from "../document-response.ts";
import { hashOf } from "../inline-hash.ts";

/** Returns a document for an iframe in the host page. Its sandbox gives it an opaque origin, so the page cannot read its
 *  content. `origin` serves the emulated API, the only URL that the frame may connect to. */
export async function frameResponse(
	origin: string,
	{ title, body, style, script }: { title: string; body: string; style: string; script: string },
): Promise<Response> {
	const policy = [
		"sandbox allow-scripts",
		"default-src 'none'",
		`script-src ${await hashOf(script)}`,
		`style-src ${await hashOf(style)}`,
		`connect-src ${origin}/stripe-emulator/v1/`,
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'self'",
	];
	const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
	return documentResponse(html, policy);
}
