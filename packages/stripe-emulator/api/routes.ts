import type Stripe from "stripe";
import type { EventContent } from "../objects/event.ts";
import type { Store } from "../store.ts";
import type { Caller } from "./access.ts";
import type { CardParts } from "./card-parts.ts";
import type { Parameters } from "./parameters.ts";

/** The account state that endpoints and scheduled work read and write. */
export interface Ledger {
	store: Store;
	/** Unix seconds. */
	now: number;
	/** Stores an event and queues its webhook delivery. */
	emit(content: EventContent): void;
	/** Seconds that an approved charge stays in `processing`. */
	processingTime: number;
	/** Schedules the account's alarm to process the object. `at` is in Unix seconds. */
	remember(at: number, kind: "payment_intent" | "refund", id: string): void;
}

export interface Call extends Ledger {
	caller: Caller;
	/** The client secret that a browser sent; null for a server, which needs none. */
	clientSecret: string | null;
	/** The id in the path; "" if it has none. */
	id: string;
	params: Parameters;
	cardParts: CardParts;
	deliveries: { succeeded(eventId: string): boolean };
	/** Records the intent before this call confirms it, so that stale retrieves can return it until the response is sent. */
	confirming(intent: Stripe.PaymentIntent): void;
	/** Returns the intent as `retrieve` shows it, which is stale if the controls say so. */
	retrieved(intent: Stripe.PaymentIntent): Stripe.PaymentIntent;
}

export interface Route {
	/** The endpoint's name in controls and the request log: `payment_intents.confirm`. */
	name: string;
	method: "GET" | "POST";
	path: RegExp;
	/** Whether the endpoint refuses a publishable key, requires the intent's client secret with it, or accepts no other
	 *  key because the request holds card data. */
	browsers: "refused" | "with_client_secret" | "only";
	/** Validates the parameters and returns the work to run. Throws an ApiError for an invalid parameter. An idempotency
	 *  key stores only the result of the work. */
	prepare(call: Call): () => object;
}
