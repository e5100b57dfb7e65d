import { documentResponse } from "../document-response.ts";
import { hostsOf } from "../hosts.ts";
import { hashOf } from "../inline-hash.ts";

/** Returns a document for an iframe in the merchant's page. The document is sandboxed into an opaque origin, so the
 *  page cannot read its content. It can connect only to the emulated API. */
export async function frameResponse(
	url: URL,
	{ title, body, style, script }: { title: string; body: string; style: string; script: string },
): Promise<Response> {
	const { api, embedders } = hostsOf(url);
	const policy = [
		"sandbox allow-scripts",
		"default-src 'none'",
		`script-src ${await hashOf(script)}`,
		`style-src ${await hashOf(style)}`,
		`connect-src ${api}`,
		"base-uri 'none'",
		"form-action 'none'",
		`frame-ancestors ${embedders}`,
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
