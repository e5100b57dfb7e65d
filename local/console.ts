import type { ButtonGroup, ConsoleExtension, Setting } from "stripe-emulator/controls/console-extension.ts";
import { openAccount } from "stripe-emulator/env.ts";
import { form, number, select } from "stripe-emulator/page/fields.ts";
import { html } from "stripe-emulator/page/html.ts";
import { type ShopSettings, shopControls } from "./controls.ts";
import type { ShopFault } from "./shop-faults.ts";

const fulfill = { control: "shop_fault", path: "/payments/fulfill", call: "every" } as const;

const buttons: ButtonGroup = {
	id: "shop-faults",
	heading: "The shop",
	buttons: [
		{ label: "D1 fails in the next fulfill", control: { ...fulfill, service: "d1", fault: "before" } },
		{
			label: "Stripe does not respond in the next fulfill",
			control: { ...fulfill, service: "stripe", fault: "never" },
		},
		{ label: "Run reconcile", control: { control: "reconcile" } },
	],
};

const paths = [
	"/payments/create",
	"/payments/place",
	"/payments/fulfill",
	"/payments/outcome",
	"/stripe/webhook",
	"cron",
];

const effects = {
	before: "fails, not made",
	after: "is made, its response lost",
	never: "gets no response",
	crash: "is made, then the Worker is gone",
} satisfies Record<ShopFault["fault"], string>;

const faultForm = form("shop_fault", "A fault of the shop's own calls", "Set the shop's fault", [
	html`<label>Path <input name="path" list="paths" placeholder="any" autocomplete="off" spellcheck="false" pattern="/.*|cron" title="A path such as /payments/fulfill, or cron"></label>
<datalist id="paths">${paths.map((path) => html`<option value="${path}"></option>`)}</datalist>`,
	select("service", "Calls to", [
		["d1", "D1"],
		["stripe", "Stripe"],
		["any", "either"],
	]),
	html`<label>Which call of the request <input name="call" value="1" required pattern="[1-9][0-9]*|every" title="A number from 1, or every" autocomplete="off"></label>
`,
	select("fault", "Fault", Object.entries(effects)),
	number("times", "Times", { min: 1, value: 1 }),
]);

const d1LatencyForm = form("d1_latency", "Latency of D1", "Set D1's latency", [
	number("milliseconds", "Milliseconds for each call", { min: 0, max: 60_000, value: 150 }),
]);

/** Returns the shop's additions to the emulator's console. `reconcile` runs the shop's cron. */
export function shopConsole(settings: ShopSettings, reconcile: (env: Env) => Promise<void>): ConsoleExtension<Env> {
	return {
		links: [{ href: "/", text: "The shop" }],
		controls: shopControls(settings, reconcile),
		async afterControl({ control }, env) {
			if (control === "calm" || control === "reset") settings.calm();
			if (control === "clock" || control === "reset") settings.clockAdvance = await openAccount(env).clockAdvance();
		},
		state: () => ({
			shopFaults: settings.faults.planned,
			timeouts: settings.timeouts,
			d1Latency: settings.d1Latency,
			signingKey: settings.signingKey,
		}),
		settings: () => settingsOf(settings),
		buttons: [buttons],
		forms: [faultForm, d1LatencyForm],
	};
}

function settingsOf({ faults: { planned }, timeouts, d1Latency }: ShopSettings): Setting[] {
	return [
		{
			name: "The shop's calls",
			values: planned.length > 0 ? planned.map(faultText) : ["go through"],
			changed: planned.length > 0,
		},
		{
			name: "The shop's timeouts",
			values: timeouts
				? Object.entries(timeouts).map(([name, milliseconds]) => `${name}: ${milliseconds} ms`)
				: ["as deployed"],
			changed: timeouts !== null,
		},
		{ name: "D1's latency", values: [`${d1Latency} ms`], changed: d1Latency > 0 },
	];
}

function faultText({ path, service, call, fault, times }: ShopFault): string {
	const called = { d1: "D1", stripe: "Stripe", feed: "feed", any: "outside" }[service];
	const which = call === "every" ? `every ${called} call` : `${called} call ${call}`;
	return `${path ?? "any request"}: ${which} ${effects[fault]}${times > 1 ? `, ${times} times` : ""}`;
}
