import stylesheet from "#app/app.css?url";
import { errorResponse } from "#app/http/error-response.server.ts";
import type { Rejection } from "#app/http/guard.server.ts";
import applyTheme from "#app/theme/apply-theme.js?url&no-inline";

/** The headings of the pages, by status. Any other status has the heading "Something went wrong". */
const headings = new Map([
	[403, "We can't accept that"],
	[405, "This isn't a page"],
	[408, "That took too long"],
	[413, "That's too large"],
	[415, "We can't read that"],
	[426, "That doesn't work here"],
	[429, "Too many requests"],
	[503, "We can't reach the shop"],
]);

/** Returns the response to a request that does not reach React Router: a page if the request accepts HTML, JSON
 *  otherwise. `message` must not contain any part of the request, because it is not escaped. */
export function refuse(request: Request, { status, code, message, headers = {} }: Rejection): Response {
	const isPage = request.headers.get("Accept")?.includes("text/html");
	const response = isPage ? refusalPage(request, status, message) : errorResponse(status, code, message);
	for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
	return response;
}

/** Renders a page in the shop's layout without React, which may be what failed. The logo has five of six dots, as on
 *  error-page.tsx. The header has no greeting and the footer bar no theme buttons, because both need React. An empty
 *  href links to the current URL. */
function refusalPage({ method }: Request, status: number, message: string): Response {
	const isRetryable = (status === 503 || status === 429) && method === "GET";
	const heading = headings.get(status) ?? "Something went wrong";
	const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · Half Dozen</title>
<meta name="theme-color" content="#141c26" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0a0f15" media="(prefers-color-scheme: dark)">
<script src="${applyTheme}"></script>
<link rel="stylesheet" href="${stylesheet}">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
</head>
<body>
<div id="shop">
<header class="bar">
<div class="wrap">
<a class="logo" href="/"><i class="mark"></i>half dozen</a>
<nav aria-label="Shop"><a class="two who" href="/orders"><small>Returns</small><span>&amp; Orders</span></a></nav>
</div>
</header>
<main class="wrap page">
<div class="sheet empty-state">
<i class="mark" data-lit="5"></i>
<h1>${heading}</h1>
<p>${message}</p>
<div class="buttons">${isRetryable ? '<a class="button main" href="">Try again</a>' : ""}<a class="button${isRetryable ? "" : " main"}" href="/">Back to the six things</a></div>
</div>
</main>
<footer class="foot"><div class="wrap"><a href="/">Home</a><span>Exactly six things. A demo: nothing is sold.</span></div></footer>
</div>
</body>
</html>
`;
	return new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
