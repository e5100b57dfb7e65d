import { routes } from "../api/requests.ts";
import { type Choices, form, number, select } from "./fields.ts";
import { type Html, html } from "./html.ts";

const endpoints: Choices = [["", "any"], ...routes.map(({ name }) => [name, name] as const)];
const tampering: Choices = [
	["none", "valid"],
	["body", "body changed after signing"],
	["signature", "signed with another secret"],
	["timestamp", "signed six minutes ago"],
];

/** Returns the section of forms, for controls and options without a button. `hostForms` are the host's forms. */
export function formsSection(hostForms: readonly Html[]): Html {
	return html`<section id="forms" aria-labelledby="forms-heading">
<h3 id="forms-heading">More controls</h3>
${form("webhooks", "Webhooks", "Set webhooks", [
	select("mode", "Mode", [
		["deliver", "deliver"],
		["before_response", "deliver before the response"],
		["hold", "hold"],
		["drop", "drop"],
	]),
	number("copies", "Copies of each", { min: 1, max: 100, value: 1 }),
	select("tampering", "Signature", tampering),
	html`<label class="check"><input type="checkbox" name="twins" value="true"> Two events for each change</label>`,
])}
${form("fail", "A fault of Stripe", "Set Stripe's fault", [
	select("endpoint", "Endpoint", endpoints),
	select("fault", "Fault", [
		["500", "500"],
		["429", "429, too many requests"],
		["timeout", "no response in time"],
	]),
	select("when", "When", [
		["before", "before the work"],
		["after", "after the work"],
	]),
	number("times", "Times", { min: 1, value: 1 }),
])}
${form("latency", "Latency", "Set latency", [
	select("endpoint", "Endpoint", endpoints),
	number("milliseconds", "Milliseconds, 0 for none", { min: 0, max: 60_000, value: 1000 }),
	select("when", "When", [
		["before", "before the work"],
		["after", "after the work (only the response is late)"],
	]),
])}
${form("stale_retrieve", "Stale retrieve", "Set stale retrieve", [
	select("stale", "While a confirmation is running, retrieve returns", [
		["true", "the payment as it was before"],
		["false", "the newest state"],
	]),
])}
${form("processing", "Processing time of charges", "Set processing time", [
	number("seconds", "Seconds in processing", { min: 0, max: 604_800, value: 10 }),
])}
${form("clock", "Clock", "Advance the clock", [
	number("advance", "Seconds", { min: 0, max: 3_153_600_000, value: 600 }),
])}
${form("deliver_due", "Retries", "Deliver due webhooks", [])}
${hostForms}
</section>`;
}
