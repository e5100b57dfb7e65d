import stylesheet from "#app/app.css?url";
import { backToShop, pageTitle } from "#app/brand.ts";
import { errorResponse } from "#app/http/error-response.server.ts";
import type { Rejection } from "#app/http/guard.server.ts";
import applyTheme from "#app/theme/apply-theme.ts?script";
import { explanations } from "./failed-request.ts";

/** Returns the response to a request that is rejected, or that React Router does not handle in time: a page if the
 *  request accepts HTML, JSON otherwise. `nonce` is the response's. */
export function refuse({ headers }: Request, nonce: string, rejection: Rejection): Response {
	const { status, code, message } = rejection;
	const response = headers.get("Accept")?.includes("text/html")
		? new Response(pageOf(message, nonce), { status, headers: { "Content-Type": "text/html; charset=utf-8" } })
		: errorResponse(status, code, message);
	for (const [name, value] of Object.entries(rejection.headers ?? {})) response.headers.set(name, value);
	return response;
}

/** Returns the HTML of a page with this message. The shop's own texts need no escaping. */
function pageOf(message: string, nonce: string): string {
	const { title } = explanations.broken;
	return `<!doctype html>
<html lang="en">
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>${pageTitle(title)}</title>
	<script nonce="${nonce}">${applyTheme}</script>
	<link rel="stylesheet" href="${stylesheet}">
	<main class="wrap page">
		<div class="sheet empty-state">
			<h1>${title}</h1>
			<p>${message}</p>
			<a class="button main" href="/">${backToShop}</a>
		</div>
	</main>
</html>`;
}
