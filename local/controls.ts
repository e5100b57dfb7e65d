import { hostControl } from "stripe-emulator/controls/console-extension.ts";
import type { Control } from "stripe-emulator/controls/control.ts";
import type { AccountState } from "stripe-emulator/controls/state.ts";
import { z } from "zod";
import type { Services } from "#app/http/services.server.ts";
import { type ShopFault, ShopFaults, shopFaultShape } from "./shop-faults.ts";

const milliseconds = z.coerce.number().int().min(1).max(600_000);
const timeoutsShape = z.object({
	timeouts: z
		.object({
			work: milliseconds,
			response: milliseconds,
			read: milliseconds,
			cron: milliseconds,
			stripeCall: milliseconds,
			feed: milliseconds,
			rateLimit: milliseconds,
			hashQueue: milliseconds,
		} satisfies Record<keyof Services["timeouts"], unknown>)
		.partial(),
});
const d1LatencyShape = z.object({ milliseconds: z.coerce.number().int().min(0).max(60_000) });
type TimeoutChanges = z.output<typeof timeoutsShape>["timeouts"];

/** A control that this shop's emulator accepts. */
export type LocalControl =
	| Control
	| ({ control: "shop_fault" } & z.input<typeof shopFaultShape>)
	| ({ control: "timeouts" } & z.input<typeof timeoutsShape>)
	| ({ control: "d1_latency" } & z.input<typeof d1LatencyShape>)
	| { control: "reconcile" };

/** The state that this shop's emulator returns. */
export interface LocalState extends AccountState {
	shopFaults: ShopFault[];
	/** Timeouts that override those of the deployed shop, in milliseconds; null if none are set. */
	timeouts: TimeoutChanges | null;
	d1Latency: number;
	/** The key with which the shop signs, after its first request. Only this machine can read it. */
	signingKey: string | undefined;
}

/** The shop's settings as set by controls, in this isolate's memory. A developer's machine runs only one isolate. */
export class ShopSettings {
	readonly faults = new ShopFaults();
	timeouts: TimeoutChanges | null = null;
	/** The delay of each of the shop's calls to D1, in milliseconds. */
	d1Latency = 0;
	/** Number of seconds by which the clock of the account and the shop is ahead of the system clock; undefined until
	 *  the account has been read. */
	clockAdvance: number | undefined;
	/** The key with which the shop signs; undefined until the account has been read. */
	signingKey: string | undefined;

	/** Removes all faults, timeouts and latency. Keeps the clock. */
	calm(): void {
		this.faults.plan([]);
		this.timeouts = null;
		this.d1Latency = 0;
	}
}

/** Returns the shop's controls. `reconcile` runs the shop's cron. */
export function shopControls(settings: ShopSettings, reconcile: (env: Env) => Promise<void>) {
	return [
		hostControl("shop_fault", shopFaultShape, (fault) => settings.faults.plan([...settings.faults.planned, fault])),
		hostControl("timeouts", timeoutsShape, ({ timeouts }) => {
			settings.timeouts = timeouts;
		}),
		hostControl("d1_latency", d1LatencyShape, ({ milliseconds }) => {
			settings.d1Latency = milliseconds;
		}),
		hostControl("reconcile", z.object({}), (_, env: Env) => reconcile(env)),
	];
}
