import type Stripe from "stripe";
import type { Due } from "../due.ts";
import type { EventContent } from "../objects/event.ts";
import type { Kinds, Store } from "../store.ts";
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
	/** Returns the URL of the test bank's page for a challenge that ends at `returnUrl`. */
	bankPage(returnUrl: string, query: { source: string; client_secret: string }): string;
	/** Returns the URL of a charge's receipt, or null if it is not known. */
	receiptUrl(chargeId: string): string | null;
	/** How long an approved charge stays in `processing`, in seconds. */
	processingTime: number;
	/** Schedules the object to be processed at `at`, in Unix seconds. */
	remember(at: number, kind: Due["kind"], id: string): void;
}

export interface Call extends Ledger {
	caller: Caller;
	/** The client secret that a browser sent; null for a server, or if the endpoint does not require a client
	 *  secret. */
	clientSecret: string | null;
	/** The id in the path; "" if the path has none. */
	id: string;
	/** The second id in the path: `/v1/customers/:id/payment_methods/:innerId`. "" if the path has none. */
	innerId: string;
	params: Parameters;
	cardParts: CardParts;
	/** `pending` returns the number of webhook endpoints that have not accepted an event. */
	deliveries: { pending(eventId: string): number };
	/** Records a snapshot of the intent before it is confirmed. Stale retrieves return it until the response is
	 *  sent. */
	confirming(intent: Stripe.PaymentIntent): void;
	/** Returns the intent that `retrieve` responds with, which is stale if stale_retrieve is set. */
	retrieved(intent: Stripe.PaymentIntent): Stripe.PaymentIntent;
}

export interface Route {
	/** The endpoint's name in controls and the request log: `payment_intents.confirm`. */
	name: string;
	method: "DELETE" | "GET" | "POST";
	path: RegExp;
	/** How the endpoint handles a publishable key: rejects it, requires the intent's client secret with it, or accepts
	 *  it alone. */
	browsers: "refused" | "with_client_secret" | "allowed";
	/** The kind of object that the endpoint returns or lists; null for the emulator's own objects. */
	returns: keyof Kinds | null;
	/** Validates the parameters and returns the work to run. Throws an ApiError for an invalid parameter. Only the
	 *  result of the work is stored under an idempotency key. */
	prepare(call: Call): () => object;
}
