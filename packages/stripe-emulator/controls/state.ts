import type Stripe from "stripe";
import type { Delivery } from "../webhooks/deliveries.ts";
import type { Entry } from "./journal.ts";
import type { Settings } from "./settings.ts";

/** The account's state. Each list is sorted newest first. */
export interface AccountState {
	/** Unix seconds. */
	now: number;
	settings: Settings;
	paymentIntents: Stripe.PaymentIntent[];
	refunds: Stripe.Refund[];
	events: { event: Stripe.Event; delivery: Delivery | null }[];
	journal: Entry[];
}
