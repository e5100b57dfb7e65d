import stylesheet from "#app/app.css?url";
import applyTheme from "#app/theme/apply-theme.js?url&no-inline";
import { problem } from "./error-response.ts";

/** Returns a refusal from before React Router: a page for a browser that shows it, JSON for programs. `message` is ours
 *  and holds nothing of the request. */
export function refuse(
	request: Request,
	status: number,
	code: string,
	message: string,
	headers: Record<string, string> = {},
): Response {
	const isShown = request.headers.get("Accept")?.includes("text/html");
	const refusal = isShown ? refusalPage(request, status, message) : problem(status, code, message);
	for (const [name, value] of Object.entries(headers)) refusal.headers.set(name, value);
	return refusal;
}

/** The shop's frame without React, which may be what has failed. An empty address is the page's own. */
function refusalPage({ method }: Request, status: number, message: string): Response {
	const isWorthRetrying = (status === 503 || status === 429) && method === "GET";
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
<p class="buttons">${isWorthRetrying ? '<a class="button main" href="">Try again</a>' : ""}<a class="button" href="/">Back to the six things</a></p>
</div>
</main>
</body>
</html>
`;
	return new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
