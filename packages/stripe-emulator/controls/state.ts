import type Stripe from "stripe";
import type { Attempt, Delivery } from "../webhooks/deliveries.ts";
import type { Entry } from "./journal.ts";
import type { Settings } from "./settings.ts";

/** The account's state. Each list is sorted newest first. */
export interface AccountState {
	/** Unix seconds. */
	now: number;
	settings: Settings;
	paymentIntents: Stripe.PaymentIntent[];
	refunds: Stripe.Refund[];
	/** `delivery` is null for an event without a subscribed endpoint. */
	events: { event: Stripe.Event; delivery: Delivery | null; attempts: Attempt[] }[];
	journal: Entry[];
}
