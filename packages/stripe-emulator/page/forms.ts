import { routes } from "../api/answer.ts";
import { action } from "./buttons.ts";
import { type Html, html } from "./html.ts";

type Options = readonly (readonly [value: string, label: string])[];

const endpoints: Options = [["", "any"], ...routes.map(({ name }) => [name, name] as const)];
const paths = ["/payments/create", "/payments/place", "/payments/fulfill", "/stripe/webhook", "cron"];
const tampering: Options = [
	["none", "not"],
	["body", "body changed once signed"],
	["signature", "signed with another secret"],
	["timestamp", "signed six minutes ago"],
];

/** A small form for each control, for what has no button. */
export function formsSection(): Html {
	return html`<section id="forms" aria-labelledby="forms-heading">
<h3 id="forms-heading">Anything else</h3>
${form("webhooks", "How webhooks go out", "Set webhooks", [
	select("mode", "Mode", [
		["deliver", "deliver"],
		["before_response", "deliver before the payment's answer"],
		["hold", "hold"],
		["drop", "drop"],
	]),
	number("copies", "Copies of each", { min: 1, max: 100, value: 1 }),
	select("tampering", "Tampered with", tampering),
	html`<label class="check"><input type="checkbox" name="twins" value="true"> Two events for each thing that happens</label>`,
])}
${form("fail", "A fault of Stripe's answers", "Set Stripe's fault", [
	select("endpoint", "Endpoint", endpoints),
	select("fault", "Fault", [
		["500", "500"],
		["429", "429, too many requests"],
		["lock_timeout", "429, lock timeout"],
		["409", "409, idempotency key in use"],
		["timeout", "no answer in time"],
	]),
	select("when", "When", [
		["before", "before: nothing is done"],
		["after", "after: it is done"],
	]),
	number("times", "Times", { min: 1, value: 1 }),
])}
${form("shop_fault", "A fault of the shop's own calls", "Set the shop's fault", [
	html`<label>Path <input name="path" list="paths" placeholder="any" autocomplete="off" spellcheck="false" pattern="/.*|cron" title="A path such as /payments/fulfill, or cron"></label>
<datalist id="paths">${paths.map((path) => html`<option value="${path}"></option>`)}</datalist>`,
	select("service", "Calls to", [
		["d1", "D1"],
		["stripe", "Stripe"],
		["any", "either"],
	]),
	html`<label>Which call of the request <input name="call" value="1" required pattern="[1-9][0-9]*|every" title="A number from 1, or every" autocomplete="off"></label>
`,
	select("fault", "Fault", [
		["before", "fails, was not made"],
		["after", "is made, its answer is lost"],
		["never", "gets no answer"],
		["crash", "is made, then the Worker is gone"],
	]),
	number("times", "Times", { min: 1, value: 1 }),
])}
${form("latency", "Latency", "Set latency", [
	select("endpoint", "Endpoint", endpoints),
	number("milliseconds", "Milliseconds, 0 for none", { min: 0, max: 60_000, value: 1000 }),
	select("when", "When", [
		["before", "before the work"],
		["after", "after the work: the response is late"],
	]),
])}
${form("stale_retrieve", "Stale retrieve", "Set stale retrieve", [
	select("stale", "While a confirmation is running, retrieve returns", [
		["true", "the intent as it was before"],
		["false", "the newest state"],
	]),
])}
${form("processing", "Time that charges take", "Set processing time", [
	number("seconds", "Seconds in processing", { min: 0, max: 604_800, value: 10 }),
])}
${form("clock", "Clock", "Advance the clock", [
	number("advance", "Seconds forward", { min: 0, max: 3_153_600_000, value: 600 }),
])}
${form("deliver_due", "Retries", "Deliver what is due now", [])}
</section>`;
}

function form(control: string, summary: string, button: string, fields: readonly Html[]): Html {
	return html`<details><summary>${summary}</summary>
<form method="post" action="${action}" class="fields">
<input type="hidden" name="control" value="${control}">
${fields}
<button>${button}</button>
</form></details>`;
}

function select(name: string, label: string, options: Options): Html {
	const entries = options.map(([value, text]) => html`<option value="${value}">${text}</option>`);
	return html`<label>${label} <select name="${name}">${entries}</select></label>
`;
}

function number(name: string, label: string, { min, max, value }: { min: number; max?: number; value: number }): Html {
	const limit = max === undefined ? "" : html` max="${max}"`;
	return html`<label>${label} <input type="number" name="${name}" min="${min}"${limit} value="${value}" required></label>
`;
}
