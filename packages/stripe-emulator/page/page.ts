import pageScript from "../browser/control-page.ts?script";
import type { ConsoleExtension, Setting } from "../controls/console-extension.ts";
import { type ConsoleData, linkTo, type View } from "../controls/timeline.ts";
import { documentResponse } from "../document-response.ts";
import { hashOf } from "../inline-hash.ts";
import { buttonsSection } from "./buttons.ts";
import { cardsPane } from "./cards.ts";
import { action } from "./fields.ts";
import { formsSection } from "./forms.ts";
import { Html, html } from "./html.ts";
import { itemPane } from "./item.ts";
import pageStyle from "./page.css?raw";
import { settingsOf, settingsSection } from "./settings.ts";
import { searchForm, timelineSection } from "./timeline.ts";

const icon = `data:image/svg+xml,${encodeURIComponent(
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect y="2" width="16" height="12" rx="2" fill="#4b53c4"/><path d="M0 5h16v3H0z" fill="#fff"/></svg>',
)}`;

/** The host's additions to the page. */
interface Additions extends Pick<ConsoleExtension<never>, "links" | "buttons" | "forms"> {
	settings: readonly Setting[];
}

/** Returns the console page: the account's timeline, an opened item, the test cards, and the controls. It works without
 *  JavaScript; with JavaScript, it updates automatically. Its Content-Security-Policy allows only its own script and
 *  style, and blocks framing. `base` is the absolute URL of the API, without a slash at the end. */
export async function consolePage(
	data: ConsoleData,
	view: View,
	base: string,
	additions: Additions,
): Promise<Response> {
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
	return documentResponse(document(data, view, base, additions).markup, policy);
}

function document(data: ConsoleData, view: View, base: string, additions: Additions): Html {
	const { open } = view;
	const { links = [] } = additions;
	const settings = settingsOf(data, additions.settings);
	const name = { "": "Controls", cards: "Test cards", controls: "Controls" }[open] ?? open;
	const tab = (to: string, text: string) =>
		html`<a href="${linkTo({ ...view, card: "", open: to })}"${open === to ? html` aria-current="page"` : ""}>${text}</a> `;
	const changed = settings.filter((setting) => setting.changed).length;
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${open === "" ? "" : `${name} · `}Stripe emulator</title>
<link rel="icon" href="${icon}">
<style>${new Html(pageStyle)}</style>
</head>
<body>
<header>
<h1>Stripe emulator</h1>
<p class="test"><strong>Test payments.</strong> No real money moves, and no real card is taken.</p>
<nav id="tabs" aria-label="Views" data-live>${tab("", "Activity")}${tab("controls", changed > 0 ? `Controls: ${changed} set` : "Controls")}${tab("cards", "Test cards")}
${links.map(({ href, text }) => html`<a href="${href}">${text}</a> `)}<noscript><a href="${linkTo(view)}">Refresh</a></noscript></nav>
${searchForm(view, data)}
<p id="status" role="status"></p>
</header>
<main id="panes" class="${open === "" ? "" : "opened"}">
${timelineSection(data, view)}
<section id="pane" data-key="${name}" aria-label="${name}">
${open === "" ? "" : html`<p class="back"><a href="${linkTo({ ...view, card: "", open: "" })}">Close</a></p>`}
${name === "Controls" ? controls() : open === "cards" ? cardsPane(view.card) : itemPane(data, view, base)}
</section>
</main>
<script>${new Html(pageScript)}</script>
</body>
</html>
`;

	function controls(): Html {
		return html`<h2 tabindex="-1">Controls</h2>
${settingsSection(settings)}
${buttonsSection(data.settings, additions.buttons ?? [])}
${formsSection(additions.forms ?? [])}
<button class="danger" popovertarget="reset">Reset…</button>
<dialog popover id="reset" aria-labelledby="reset-heading"><h3 id="reset-heading">Delete everything?</h3>
<p>This deletes all objects, events, deliveries, logged requests and idempotency keys, and resets the settings and the clock.</p>
<form method="post" action="${action}"><input type="hidden" name="control" value="reset"><button class="danger">Delete everything</button></form>
<button popovertarget="reset" popovertargetaction="hide">Cancel</button></dialog>`;
	}
}
