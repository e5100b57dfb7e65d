import style from "../browser/three-d-secure-frame.css?raw";
import { documentResponse } from "../document-response.ts";
import { hashOf } from "../inline-hash.ts";
import { type Content, Html, html } from "../page/html.ts";

const pageStyle = `${style}
body {
	max-width: 30rem;
	margin: 0 auto;
}
`;

/** Returns a page of the emulator for the merchant's customers, without scripts. `formTarget` is the CSP source to which
 *  the response to the page's form may redirect. */
export async function hostedPage(
	title: string,
	content: Content,
	{ status = 200, formTarget = "" } = {},
): Promise<Response> {
	const policy = [
		"default-src 'none'",
		`style-src ${await hashOf(pageStyle)}`,
		"img-src data:",
		"base-uri 'none'",
		`form-action 'self' ${formTarget}`.trimEnd(),
		"frame-ancestors 'none'",
	];
	const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(pageStyle)}</style>
</head>
<body>
<header>${title}</header>
<main><section>${content}</section></main>
</body>
</html>
`;
	const response = documentResponse(markup, policy);
	return new Response(response.body, { status, headers: response.headers });
}
