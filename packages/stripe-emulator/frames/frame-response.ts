import { documentResponse } from "../document-response.ts";
import { hashOf } from "../inline-hash.ts";

/** Returns a document for an iframe in the merchant's page. The document is sandboxed into an opaque origin, so the
 *  page cannot read its content. It can connect only to the emulated API, which is in the folder of `url`. */
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
