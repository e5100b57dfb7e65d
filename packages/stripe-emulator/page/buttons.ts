import type { Control } from "../controls/answer-control.ts";
import { webhookPolicyShape } from "../controls/control.ts";
import { latencyShape } from "../controls/latency.ts";
import type { EmulatorState } from "../controls/state.ts";
import { type Html, html } from "./html.ts";

/** Where every form of the page goes. */
export const action = "/stripe-emulator/controls";

interface Button {
	label: string;
	control: Control;
}

const fulfill = { control: "shop_fault", path: "/payments/fulfill", call: "every" } as const;

const groups: readonly { id: string; heading: string; buttons: readonly Button[] }[] = [
	{
		id: "webhooks",
		heading: "Webhooks",
		buttons: [
			{ label: "Deliver webhooks", control: { control: "webhooks" } },
			{ label: "Hold webhooks", control: { control: "webhooks", mode: "hold" } },
			{ label: "Drop webhooks", control: { control: "webhooks", mode: "drop" } },
			{ label: "Send every webhook twice", control: { control: "webhooks", copies: 2 } },
			{ label: "Deliver before the payment's answer", control: { control: "webhooks", mode: "before_response" } },
			{ label: "Release held, oldest first", control: { control: "release", order: "oldest_first" } },
			{ label: "Release held, newest first", control: { control: "release", order: "newest_first" } },
		],
	},
	{
		id: "stripe-faults",
		heading: "Stripe's answers",
		buttons: [
			{
				label: "Next confirm: 500 after it was done",
				control: { control: "fail", endpoint: "payment_intents.confirm", fault: "500", when: "after" },
			},
			{
				label: "Next confirm: timeout after",
				control: { control: "fail", endpoint: "payment_intents.confirm", fault: "timeout", when: "after" },
			},
			{
				label: "Next create: 429",
				control: { control: "fail", endpoint: "payment_intents.create", fault: "429", when: "before" },
			},
			{
				label: "Next create: 500, nothing done",
				control: { control: "fail", endpoint: "payment_intents.create", fault: "500", when: "before" },
			},
			{
				label: "Confirm responds ten seconds late",
				control: { control: "latency", endpoint: "payment_intents.confirm", milliseconds: 10_000, when: "after" },
			},
			{
				label: "Retrieve is stale while a confirm runs",
				control: { control: "stale_retrieve", stale: true },
			},
			{ label: "Charges take a minute", control: { control: "processing", seconds: 60 } },
		],
	},
	{
		id: "shop-faults",
		heading: "The shop",
		buttons: [
			{ label: "D1 fails in the next fulfill", control: { ...fulfill, service: "d1", fault: "before" } },
			{
				label: "Stripe does not answer in the next fulfill",
				control: { ...fulfill, service: "stripe", fault: "never" },
			},
			{ label: "Run reconcile", control: { control: "reconcile" } },
		],
	},
	{
		id: "clock",
		heading: "Advance the clock, the shop's too",
		buttons: [
			{ label: "1 minute", control: { control: "clock", advance: 60 } },
			{ label: "1 hour", control: { control: "clock", advance: 3600 } },
			{ label: "1 day", control: { control: "clock", advance: 86_400 } },
			{ label: "24 hours and 1 second", control: { control: "clock", advance: 86_401 } },
		],
	},
];

/** The common faults, each one click. A button that is in force looks pressed. */
export function buttonsSection(state: EmulatorState): Html {
	return html`<section id="buttons" data-fresh aria-label="Common faults">
<div class="buttons">${button({ label: "Calm: no more faults", control: { control: "calm" } }, state)}</div>
${groups.map(
	({ id, heading, buttons }) => html`<h3 id="${id}-heading">${heading}</h3>
<div class="buttons" role="group" aria-labelledby="${id}-heading">${buttons.map((each) => button(each, state))}</div>
`,
)}</section>`;
}

function button({ label, control }: Button, state: EmulatorState): Html {
	const pressed = inForce(control, state);
	return html`<form method="post" action="${action}">
${Object.entries(control).map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}
<button${pressed === null ? "" : html` aria-pressed="${String(pressed)}"`}>${label}</button></form>`;
}

/** Null for what is done and over. */
function inForce(control: Control, { settings }: EmulatorState): boolean | null {
	if (control.control === "latency") {
		const latency = JSON.stringify(latencyShape.parse(control));
		return settings.latencies.some((each) => JSON.stringify(latencyShape.parse(each)) === latency);
	}
	if (control.control === "stale_retrieve") return settings.staleRetrieve === control.stale;
	if (control.control === "processing") return settings.processingTime === control.seconds;
	if (control.control !== "webhooks") return null;
	const policyOf = (policy: unknown) => JSON.stringify(webhookPolicyShape.parse(policy));
	return policyOf(control) === policyOf(settings.webhooks);
}
