import type { ButtonGroup } from "../controls/console-extension.ts";
import { type Control, webhookPolicyShape } from "../controls/control.ts";
import { latencyShape } from "../controls/latency.ts";
import type { AccountState } from "../controls/state.ts";
import { action } from "./fields.ts";
import { type Html, html } from "./html.ts";

interface Button {
	label: string;
	control: Control;
}

interface Group {
	id: string;
	heading: string;
	buttons: readonly Button[];
}

const groups: readonly Group[] = [
	{
		id: "webhooks",
		heading: "Webhooks",
		buttons: [
			{ label: "Deliver webhooks", control: { control: "webhooks" } },
			{ label: "Hold webhooks", control: { control: "webhooks", mode: "hold" } },
			{ label: "Drop webhooks", control: { control: "webhooks", mode: "drop" } },
			{ label: "Send every webhook twice", control: { control: "webhooks", copies: 2 } },
			{ label: "Deliver before the response", control: { control: "webhooks", mode: "before_response" } },
			{ label: "Release held, oldest first", control: { control: "release", order: "oldest_first" } },
			{ label: "Release held, newest first", control: { control: "release", order: "newest_first" } },
		],
	},
	{
		id: "stripe-faults",
		heading: "Stripe's responses",
		buttons: [
			{
				label: "Next confirm: 500 after the work",
				control: { control: "fail", endpoint: "payment_intents.confirm", fault: "500", when: "after" },
			},
			{
				label: "Next confirm: timeout after the work",
				control: { control: "fail", endpoint: "payment_intents.confirm", fault: "timeout", when: "after" },
			},
			{
				label: "Next create: 429 before the work",
				control: { control: "fail", endpoint: "payment_intents.create", fault: "429", when: "before" },
			},
			{
				label: "Next create: 500 before the work",
				control: { control: "fail", endpoint: "payment_intents.create", fault: "500", when: "before" },
			},
			{
				label: "Confirm responds after ten seconds",
				control: { control: "latency", endpoint: "payment_intents.confirm", milliseconds: 10_000, when: "after" },
			},
			{
				label: "Retrieve is stale during a confirm",
				control: { control: "stale_retrieve", stale: true },
			},
			{ label: "Charges are processing for a minute", control: { control: "processing", seconds: 60 } },
		],
	},
];

/** Displayed after the host's groups. */
const clock: Group = {
	id: "clock",
	heading: "Advance the clock",
	buttons: [
		{ label: "1 minute", control: { control: "clock", advance: 60 } },
		{ label: "1 hour", control: { control: "clock", advance: 3600 } },
		{ label: "1 day", control: { control: "clock", advance: 86_400 } },
		{ label: "24 hours and 1 second", control: { control: "clock", advance: 86_401 } },
	],
};

/** Returns the section with a button for each common fault. A button whose setting is active is marked as pressed. */
export function buttonsSection(state: AccountState, hostGroups: readonly ButtonGroup[]): Html {
	const own = ({ id, heading, buttons }: Group) =>
		group(
			id,
			heading,
			buttons.map((each) => ownButton(each, state)),
		);
	const hosts = ({ id, heading, buttons }: ButtonGroup) =>
		group(
			id,
			heading,
			buttons.map(({ label, control }) => button(label, control, null)),
		);
	return html`<section id="buttons" data-fresh aria-label="Controls">
<div class="buttons">${[
		{ label: "Remove all faults", control: { control: "calm" } } as const,
		{ label: "Delete all data", control: { control: "reset" } } as const,
	].map((each) => ownButton(each, state))}</div>
${groups.map(own)}${hostGroups.map(hosts)}${own(clock)}</section>`;
}

function group(id: string, heading: string, buttons: Html[]): Html {
	return html`<h3 id="${id}-heading">${heading}</h3>
<div class="buttons" role="group" aria-labelledby="${id}-heading">${buttons}</div>
`;
}

function ownButton({ label, control }: Button, state: AccountState): Html {
	return button(label, control, isActive(control, state));
}

function button(label: string, fields: object, pressed: boolean | null): Html {
	return html`<form method="post" action="${action}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}
<button${pressed === null ? "" : html` aria-pressed="${String(pressed)}"`}>${label}</button></form>`;
}

/** Returns whether the control's setting is active, or null for a control without a lasting setting. */
function isActive(control: Control, { settings }: AccountState): boolean | null {
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
