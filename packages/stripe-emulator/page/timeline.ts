import { routes } from "../api/requests.ts";
import { type ConsoleData, linkTo, type TimelineEntry, type View } from "../controls/timeline.ts";
import { type Choices, select } from "./fields.ts";
import { type Content, type Html, html } from "./html.ts";
import { kindName, milliseconds, time } from "./text.ts";

const ownKinds: Choices = [
	["", "Everything"],
	["request", "Requests"],
	["event", "Events"],
	["webhook", "Webhook attempts"],
];
const outcomes: Choices = [
	["", "Any outcome"],
	["good", "Succeeded"],
	["waiting", "In progress"],
	["bad", "Failed"],
];
const endpoints: Choices = [["", "Any endpoint"], ...routes.map(({ name }) => [name, name] as const)];

/** Returns the form that searches and filters the timeline. */
export function searchForm({ q, kind, outcome, endpoint, open }: View, { kinds }: ConsoleData): Html {
	const objects = kinds.map((kind) => [kind, kindName(`${kind}s`)] as const);
	return html`<form id="search" role="search" method="get" action="./">
<input type="search" name="q" value="${q}" aria-label="Search" placeholder="Search: id, amount, type, text" autocomplete="off" spellcheck="false"> <button>Search</button>
${select("kind", "Kind", [...ownKinds, ...objects], kind)}${select("outcome", "Outcome", outcomes, outcome)}${select("endpoint", "Endpoint", endpoints, endpoint)}
<input type="hidden" name="open" value="${open}">
</form>`;
}

/** Returns the list of entries, newest first. */
export function timelineSection(data: ConsoleData, view: View): Html {
	const { entries, hasMore } = data;
	const { q, kind, outcome, endpoint, limit, open } = view;
	const isFiltered = [q, kind, outcome, endpoint].some((value) => value !== "");
	const none = isFiltered
		? "Nothing matches."
		: "Nothing yet. Payments, API requests, events and webhooks appear here.";
	return html`<section id="activity" aria-label="Activity">
<div id="count" data-live><h2>Activity <span class="muted">${hasMore ? `newest ${entries.length}` : entries.length}</span></h2>
${isFiltered ? html`<a href="${linkTo({ open })}">Clear the search</a>` : ""}</div>
<ol id="timeline" class="timeline" data-rows>${entries.map((entry) => row(entry, view, "row"))}</ol>
<p id="more" data-live>${entries.length === 0 ? none : ""}${hasMore ? html`<a href="${linkTo({ ...view, limit: limit + 100 })}">Show 100 more</a>` : ""}</p>
</section>`;
}

/** Returns an entry as a list item, whose id starts with `prefix`. */
export function row(entry: TimelineEntry, view: View, prefix: string): Html {
	const { kind, id, attempt, created, summary, about, note, status, outcome, duration } = entry;
	const current = view.open === id && prefix === "row" ? html` aria-current="true"` : "";
	const isLiteral = kind === "request" || kind === "event" || kind === "webhook";
	// the whole id is below
	const short = about.replace(/^(\w+_).*(?=\w{6}$)/, "$1…");
	const title: Content = isLiteral
		? html`<code>${about === "" ? summary : summary.replace(about, short)}</code>`
		: summary;
	const concern = { ...view, q: about, kind: "", outcome: "" as const, endpoint: "" };
	return html`<li id="${prefix}-${kind}-${attempt ?? id}"><div class="when"><span class="kind">${kindName(kind)}</span> ${time(created)}</div>
<div class="what"><a class="open" href="${linkTo({ ...view, open: id })}"${current}>${title}</a> ${badge(status, outcome)}
<div class="more">${about === "" ? "" : html`<a href="${linkTo(concern)}" title="Show what concerns ${about}">${about}</a>`}
${duration === undefined ? "" : html`<span class="duration">${milliseconds(duration)}</span>`} ${note === "" ? "" : html`<span class="note">${note}</span>`}</div></div></li>
`;
}

/** Returns a colored badge with the status. */
export function badge(status: string, outcome: string): Html {
	return html`<span class="badge ${outcome}">${status.replaceAll("_", " ")}</span>`;
}
