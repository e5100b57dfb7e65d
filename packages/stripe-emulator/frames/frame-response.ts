import { documentResponse } from "../document-response.ts";
import { hashOf } from "../inline-hash.ts";

interface FrameDocument {
	title: string;
	language?: string;
	body: string;
	style: string;
	script: string;
}

/** Returns a document for an iframe in the merchant's page. The document is sandboxed into an opaque origin, so the
 *  page cannot read its content. It can connect only to the emulated API, which is in the folder of `url`. The caller
 *  adds frame-ancestors to its policy. */
export async function frameResponse(
	url: URL,
	{ title, language = "en", body, style, script }: FrameDocument,
): Promise<Response> {
	const policy = [
		"sandbox allow-scripts",
		"default-src 'none'",
		`script-src ${await hashOf(script)}`,
		`style-src ${await hashOf(style)}`,
		`connect-src ${new URL("v1/", url).href}`,
		"base-uri 'none'",
		"form-action 'none'",
	];
	const html = `<!doctype html>
<html lang="${language}">
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
