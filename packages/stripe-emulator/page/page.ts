import pageScript from "../browser/console.ts?script";
import type { ConsoleExtension, Setting } from "../controls/console-extension.ts";
import type { AccountState } from "../controls/state.ts";
import { documentResponse } from "../document-response.ts";
import { hashOf } from "../inline-hash.ts";
import { buttonsSection } from "./buttons.ts";
import { formsSection } from "./forms.ts";
import { Html, html } from "./html.ts";
import pageStyle from "./page.css?raw";
import { settingsSection } from "./settings.ts";
import { cardsTable, eventsTable, paymentsTable, requestsTable } from "./tables.ts";

const icon = `data:image/svg+xml,${encodeURIComponent(
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect y="2" width="16" height="12" rx="2" fill="#4b53c4"/><path d="M0 5h16v3H0z" fill="#fff"/></svg>',
)}`;

/** The host's additions to the page. */
interface Additions extends Pick<ConsoleExtension<never>, "links" | "buttons" | "forms"> {
	settings: readonly Setting[];
}

/** Returns the console page, for triggering faults manually. The page works without JavaScript; with JavaScript, it
 *  refreshes automatically. Its Content-Security-Policy allows only its own script and style, and blocks framing. */
export async function consolePage(state: AccountState, additions: Additions): Promise<Response> {
	const [script, style] = await Promise.all([hashOf(pageScript), hashOf(pageStyle)]);
	const policy = [
		"default-src 'none'",
		`script-src ${script}`,
		`style-src ${style}`,
		"img-src data:",
		"connect-src 'self'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"base-uri 'none'",
	];
	return documentResponse(document(state, additions).markup, policy);
}

function document(state: AccountState, { links = [], buttons = [], forms = [], settings }: Additions): Html {
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stripe emulator</title>
<link rel="icon" href="${icon}">
<style>${new Html(pageStyle)}</style>
</head>
<body>
<header>
<h1>Stripe emulator</h1>
<p class="test"><strong>Test payments.</strong> No real card is charged.</p>
<nav aria-label="Tables">
<a href="#payments">Payments</a> <a href="#events">Events</a> <a href="#requests">Requests</a>
<a href="#cards">Test cards</a>
${links.map(({ href, text }) => html`<a href="${href}">${text}</a> `)}<noscript><a href="./">Refresh</a></noscript>
</nav>
</header>
<main>
<div class="controls">
<p id="status" role="status"></p>
${settingsSection(state, settings)}
${buttonsSection(state, buttons)}
${formsSection(forms)}
</div>
<div class="tables">
${paymentsTable(state)}
${eventsTable(state)}
${requestsTable(state)}
${cardsTable()}
</div>
</main>
<script>${new Html(pageScript)}</script>
</body>
</html>
`;
}
