import type Stripe from "stripe";
import type { ShopFault } from "../../../local/shop-faults.ts";
import type { Delivery } from "../webhooks/deliveries.ts";
import type { Timeouts } from "./answer-control.ts";
import type { Entry } from "./journal.ts";
import type { Settings } from "./settings.ts";

/** What the account has to show, each list newest first. */
export interface AccountState {
	/** Unix seconds. */
	now: number;
	settings: Settings;
	paymentIntents: Stripe.PaymentIntent[];
	refunds: Stripe.Refund[];
	events: { event: Stripe.Event; delivery: Delivery | null }[];
	journal: Entry[];
}

/** With what the emulator's Worker knows besides. */
export interface EmulatorState extends AccountState {
	shopFaults: ShopFault[];
	/** How long the shop waits, in milliseconds, when that is other than it does by itself. */
	timeouts: Timeouts | null;
}
