import type { ApiFault } from "../controls/api-faults.ts";
import type { Setting } from "../controls/console-extension.ts";
import type { WebhookPolicy } from "../controls/control.ts";
import type { Latency } from "../controls/latency.ts";
import { calm } from "../controls/settings.ts";
import type { AccountState } from "../controls/state.ts";
import { type Html, html } from "./html.ts";
import { duration, time } from "./text.ts";

/** Returns the section with the current settings, including the host's. */
export function settingsSection(state: AccountState, hostSettings: readonly Setting[]): Html {
	const settings = [...settingsOf(state), ...hostSettings, clockOf(state)];
	const changed = settings.some((setting) => setting.changed);
	return html`<section id="settings" data-fresh aria-labelledby="settings-heading">
<h2 id="settings-heading">Settings</h2>
<p class="mood">${changed ? "The marked settings differ from their defaults." : "No faults are set."}</p>
<dl>${settings.map(entry)}</dl>
</section>`;
}

function entry({ name, values, changed }: Setting): Html {
	return html`<div${changed ? html` class="changed"` : ""}><dt>${name}</dt>${values.map((value) => html`<dd>${value}</dd>`)}</div>
`;
}

function settingsOf({ settings, events }: AccountState): Setting[] {
	const { faults, latencies, processingTime, staleRetrieve, webhooks } = settings;
	const held = events.filter(({ delivery }) => delivery?.state === "held").length;
	return [
		{
			name: "Webhooks",
			values: [policyText(webhooks), ...(held > 0 ? [`${held} to release`] : [])],
			changed: held > 0 || policyText(webhooks) !== policyText(calm.webhooks),
		},
		{
			name: "Stripe's responses",
			values: faults.length > 0 ? faults.map(apiFaultText) : ["normal"],
			changed: faults.length > 0,
		},
		{
			name: "Latency",
			values: latencies.length > 0 ? latencies.map(latencyText) : ["none"],
			changed: latencies.length > 0,
		},
		{
			name: "Retrieved payments",
			values: [staleRetrieve ? "as before a running confirmation" : "current"],
			changed: staleRetrieve,
		},
		{
			name: "Charges",
			values: [processingTime > 0 ? `are processing for ${duration(processingTime)}` : "succeed immediately"],
			changed: processingTime > 0,
		},
	];
}

function clockOf({ now, settings: { clockAdvance } }: AccountState): Setting {
	return {
		name: "Time, in UTC",
		values: [time(now), clockAdvance > 0 ? `${duration(clockAdvance)} ahead of the system clock` : "the system clock"],
		changed: false,
	};
}

function policyText({ mode, copies, twins, tampering }: WebhookPolicy): string {
	const modes = {
		deliver: "delivered",
		before_response: "delivered before the response",
		hold: "held",
		drop: "dropped",
	};
	return [
		modes[mode],
		...(copies > 1 ? [`${copies} copies of each`] : []),
		...(twins ? ["two events for each change"] : []),
		...(tampering === "none" ? [] : [`invalid ${tampering}`]),
	].join(", ");
}

function apiFaultText({ endpoint, fault, when, times }: ApiFault): string {
	const work = when === "before" ? "before the work" : "after the work";
	return `${endpoint ?? "any endpoint"}: ${fault} ${work}${timesText(times)}`;
}

function latencyText({ endpoint, milliseconds, when }: Latency): string {
	return `${endpoint ?? "any endpoint"}: ${milliseconds} ms ${when} the work`;
}

function timesText(times: number): string {
	return times > 1 ? `, ${times} times` : "";
}
