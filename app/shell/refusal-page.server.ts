import stylesheet from "#app/app.css?url";
import { errorResponse } from "#app/http/error-response.server.ts";
import type { Rejection } from "#app/http/guard.server.ts";
import applyTheme from "#app/theme/apply-theme.js?url&no-inline";

/** Returns the response to a request that does not reach React Router: a page if the request accepts HTML, JSON
 *  otherwise. `message` must not contain any part of the request, because it is not escaped. */
export function refuse(request: Request, { status, code, message, headers = {} }: Rejection): Response {
	const isPage = request.headers.get("Accept")?.includes("text/html");
	const response = isPage ? refusalPage(request, status, message) : errorResponse(status, code, message);
	for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
	return response;
}

/** Renders the shop's page frame without React, which may be what failed. An empty href links to the current URL. */
function refusalPage({ method }: Request, status: number, message: string): Response {
	const isRetryable = (status === 503 || status === 429) && method === "GET";
	const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Something went wrong · Half Dozen</title>
<script src="${applyTheme}"></script>
<link rel="stylesheet" href="${stylesheet}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
<header class="bar">
<div class="wrap">
<a class="logo" href="/"><i class="mark"></i>half dozen</a>
<nav aria-label="Shop"><a class="two" href="/orders"><small>Returns</small><span>&amp; Orders</span></a></nav>
</div>
</header>
<main class="wrap page">
<h1>Something went wrong</h1>
<div class="sheet failure">
<p>${message}</p>
<p class="buttons">${isRetryable ? '<a class="button main" href="">Try again</a>' : ""}<a class="button" href="/">Back to the six things</a></p>
</div>
</main>
</body>
</html>
`;
	return new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
