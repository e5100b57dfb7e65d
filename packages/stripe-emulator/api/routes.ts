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
	/** How long an approved charge stays in `processing`, in seconds. */
	processingTime: number;
	/** Schedules the object to be processed at `at`, in Unix seconds. */
	remember(at: number, kind: "payment_intent" | "refund", id: string): void;
}

export interface Call extends Ledger {
	caller: Caller;
	/** The client secret that a browser sent; null for a server, or if the endpoint does not require a client
	 *  secret. */
	clientSecret: string | null;
	/** The id in the path; "" if the path has none. */
	id: string;
	params: Parameters;
	cardParts: CardParts;
	deliveries: { succeeded(eventId: string): boolean };
	/** Records a snapshot of the intent before it is confirmed. Stale retrieves return it until the response is
	 *  sent. */
	confirming(intent: Stripe.PaymentIntent): void;
	/** Returns the intent that `retrieve` responds with, which is stale if stale_retrieve is set. */
	retrieved(intent: Stripe.PaymentIntent): Stripe.PaymentIntent;
}

export interface Route {
	/** The endpoint's name in controls and the request log: `payment_intents.confirm`. */
	name: string;
	method: "GET" | "POST";
	path: RegExp;
	/** How the endpoint handles a publishable key: rejects it, requires the intent's client secret with it, or accepts
	 *  no other key because the request contains card data. */
	browsers: "refused" | "with_client_secret" | "only";
	/** Validates the parameters and returns the work to run. Throws an ApiError for an invalid parameter. Only the
	 *  result of the work is stored under an idempotency key. */
	prepare(call: Call): () => object;
}
