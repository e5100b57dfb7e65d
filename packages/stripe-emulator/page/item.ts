import type { Control } from "../controls/control.ts";
import type { Entry } from "../controls/journal.ts";
import { type ConsoleData, type Item, linkTo, outcomeOf, type View } from "../controls/timeline.ts";
import { formatAmount } from "../objects/currencies.ts";
import { disputeReasons } from "../objects/dispute.ts";
import type { Attempt } from "../webhooks/deliveries.ts";
import { action, copyButton, select } from "./fields.ts";
import { type Content, type Html, html } from "./html.ts";
import { json, jsonText } from "./json.ts";
import { duration, kindName, milliseconds, time } from "./text.ts";
import { badge, row } from "./timeline.ts";

interface Context {
	item: Item;
	view: View;
	data: ConsoleData;
	/** The URL of the API, without a slash at the end. */
	base: string;
	link(id: string): string;
}

/** Returns the details of an opened object, event or request. */
export function itemPane(data: ConsoleData, view: View, base: string): Html {
	const { item } = data;
	if (!item) {
		return html`<h2 tabindex="-1">Not found</h2>
<p>No object, event or request has the id <code>${view.open}</code>. The journal stores the newest thousand requests.</p>`;
	}
	const context = { item, view, data, base, link: (id: string) => linkTo({ ...view, open: id }) };
	return html`<h2 tabindex="-1"><span class="kind">${kindName(item.kind)}</span> <code>${item.id}</code> ${copyButton(item.id, item.id)}</h2>
<div id="facts" data-live>${facts(context)}</div>
<div id="actions" class="buttons" data-live>${actions(context)}</div>
<div id="content" data-live>${content(context)}</div>
<section aria-labelledby="related-heading"><h3 id="related-heading">Related activity <a href="${linkTo({ ...view, q: item.about, kind: "", outcome: "", endpoint: "" })}">Show only this</a></h3>
<ol id="related" class="timeline" data-rows>${item.related.map((entry) => row(entry, view, "related"))}</ol></section>`;
}

function facts({ item: { object, request, delivery }, data: { now }, view, link }: Context): Html {
	const all: [name: string, value: Content][] = [];
	if (request) {
		const { status, caller, created, endpoint, idempotency_key: key, fault, replayed } = request;
		all.push(["Status", badge(String(status), status < 400 ? "good" : "bad")]);
		all.push(["Duration", milliseconds(request.duration)], ["Time", time(created)], ["Caller", caller]);
		if (endpoint) all.push(["Endpoint", html`<a href="${linkTo({ ...view, endpoint })}">${endpoint}</a>`]);
		if (key) all.push(["Idempotency key", html`<a href="${linkTo({ ...view, q: key })}"><code>${key}</code></a>`]);
		if (replayed) all.push(["Replayed", "yes, with the first response of the idempotency key"]);
		if (fault) all.push(["Injected fault", badge(fault, "waiting")]);
	}
	if (object) {
		const { amount, currency, status, type, created, request } = object;
		if (typeof amount === "number" && typeof currency === "string")
			all.push(["Amount", formatAmount(amount, currency)]);
		if (typeof type === "string") all.push(["Type", html`<code>${type}</code>`]);
		if (typeof status === "string") all.push(["Status", badge(status, outcomeOf(status))]);
		if (typeof created === "number") all.push(["Created", time(created)]);
		const cause = typeof request === "object" && request !== null && "id" in request ? request.id : null;
		if (typeof cause === "string") all.push(["Caused by", html`<a href="${link(cause)}"><code>${cause}</code></a>`]);
	}
	if (delivery) {
		const { state, attempts, answer, next_attempt: next } = delivery;
		const response = answer === null ? "" : `, response ${answer}`;
		all.push([
			"Webhook",
			html`${badge(state, outcomeOf(state))} ${attempts} ${attempts === 1 ? "attempt" : "attempts"}${response}`,
		]);
		if (next !== null) all.push(["Next attempt", next > now ? `in ${duration(next - now)}` : "now"]);
	}
	return html`<dl class="facts">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function actions({ item: { id, kind, object, delivery, request }, data, base }: Context): Content {
	if (request) return copyButton(curl(request, data, base), "the request as a curl command", "Copy as curl");
	if (kind === "event") return eventForms(id, delivery?.state === "pending" || delivery?.state === "held");
	if (kind !== "payment_intent" || object?.["status"] !== "succeeded") return "";
	const payment = html`<input type="hidden" name="payment_intent" value="${id}">`;
	return html`<form method="post" action="${action}"><input type="hidden" name="control" value="refund">${payment}
<label>Amount <input type="number" name="amount" min="1" placeholder="all of it" title="In the smallest unit, such as cents"></label> <button>Refund</button></form>
<form method="post" action="${action}"><input type="hidden" name="control" value="dispute">${payment}
${select("reason", "Reason", reasons, "fraudulent")} <button>Dispute</button></form>`;
}

const reasons = disputeReasons.map((reason) => [reason, reason.replaceAll("_", " ")] as const);

function eventForms(id: string, isDiscardable: boolean): Html {
	const button = (control: Control["control"], label: string, more: Content = "") =>
		html`<button name="control" value="${control}"${more}>${label}</button>`;
	const event = html`<input type="hidden" name="event" value="${id}">`;
	return html`<form method="post" action="${action}">${event}
${button("send", "Send again")} ${button("discard", "Discard", isDiscardable ? "" : html` disabled`)}</form>
<form method="post" action="${action}">${event}<input type="hidden" name="tampering" value="body">
${button("send", "Send tampered", html` title="With the body changed after it was signed"`)}</form>`;
}

function content({ item: { object, request, attempts }, link }: Context): Content {
	if (request) {
		const { method, path, params, response } = request;
		return html`<p class="url"><code>${method} ${path}</code></p>
<h3>Parameters</h3>
${Object.keys(params).length === 0 ? html`<p class="muted">None, or only omitted ones: keys, client secrets and card data.</p>` : pairs(params)}
<h3>Response</h3>
${jsonText(response, link)}`;
	}
	const sent = attempts.map((attempt, index) => attemptDetails(attempt, attempts.length - index));
	return html`${sent.length > 0 ? html`<h3>Webhook attempts</h3>${sent}` : ""}
<h3>JSON</h3>
${json(object, link)}`;

	function attemptDetails({ endpoint, created, duration, headers, status, answer }: Attempt, count: number): Html {
		const isAccepted = status !== null && status >= 200 && status < 300;
		return html`<details id="attempt-${count}"><summary>Attempt ${count} ${badge(String(status ?? "no response"), isAccepted ? "good" : "bad")} ${milliseconds(duration)}, ${time(created)}</summary>
<p class="url"><code>POST ${endpoint}</code></p>
${pairs(headers)}
<h4>Response</h4>
${answer === "" ? html`<p class="muted">Empty</p>` : jsonText(answer, link)}</details>`;
	}
}

/** Returns the names and values of parameters or headers. */
function pairs(values: Record<string, string>): Html {
	return html`<dl class="pairs">${Object.entries(values).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Returns the curl command that repeats a request, with the account's test key. */
function curl(
	{ method, path, params, caller, idempotency_key: key }: Entry,
	{ keys }: ConsoleData,
	base: string,
): string {
	const quoted = (text: string) => (/^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
	const fields = Object.entries(params).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
	return [
		`curl ${quoted(base + path)}`,
		`-u ${quoted(caller === "browser" ? keys.publishableKey : keys.secretKey)}:`,
		...(method === "GET" ? (fields.length > 0 ? ["-G"] : []) : [`-X ${method}`]),
		...(key === null ? [] : [`-H ${quoted(`Idempotency-Key: ${key}`)}`]),
		...fields,
	].join(" \\\n  ");
}
