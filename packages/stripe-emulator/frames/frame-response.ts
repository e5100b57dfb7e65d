import { documentResponse } from "../document-response.ts";
import { hashOf } from "../inline-hash.ts";

/** A document of its own for an iframe in the shop's page. Its sandbox gives it an origin of its own, so that the page
 *  cannot read what is in it; `origin` is where it may send it, the shop's own with the emulated API. */
export async function frameResponse(
	url: URL,
	{ title, body, style, script }: { title: string; body: string; style: string; script: string },
): Promise<Response> {
	const policy = [
		"sandbox allow-scripts",
		"default-src 'none'",
		`script-src ${await hashOf(script)}`,
		`style-src ${await hashOf(style)}`,
		`connect-src ${new URL("v1/", url).href}`,
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
