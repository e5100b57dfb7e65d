import type Stripe from "stripe";
import type { Happening } from "../objects/event.ts";
import type { Store } from "../store.ts";
import type { Caller } from "./access.ts";
import type { CardParts } from "./card-parts.ts";
import type { Parameters } from "./parameters.ts";

/** What anything that changes the account works with. */
export interface Ledger {
	store: Store;
	/** Unix seconds. */
	now: number;
	/** Writes an event, for the list and for the shop's webhook. */
	emit(happening: Happening): void;
	/** How long, in seconds, a charge that is approved stays in processing. */
	processingTime: number;
	/** Has `settleDue` look again at the account when it is this late, in Unix seconds. */
	remember(at: number, kind: "payment_intent" | "refund", id: string): void;
}

export interface Call extends Ledger {
	caller: Caller;
	/** The client secret that a browser shows; null for a server, whose key is enough. */
	clientSecret: string | null;
	/** The id in the path, or "" where there is none. */
	id: string;
	params: Parameters;
	cardParts: CardParts;
	deliveries: { succeeded(eventId: string): boolean };
	/** Keeps the intent as it is before this call confirms it, until its response is sent. */
	confirming(intent: Stripe.PaymentIntent): void;
	/** Returns the intent as retrieve shows it, which may be out of date. */
	retrieved(intent: Stripe.PaymentIntent): Stripe.PaymentIntent;
}

export interface Route {
	/** As the endpoint is called where somebody names it: `payment_intents.confirm`. */
	name: string;
	method: "GET" | "POST";
	path: RegExp;
	/** Whether a publishable key is refused here, needs the client secret of the intent it is about, or is the only one
	 *  taken, because it is about a card. */
	browsers: "refused" | "with_client_secret" | "only";
	/** Reads the parameters, throwing the ApiError of a wrong one, and answers the work itself. Only what the work comes
	 *  to is kept under an idempotency key. */
	prepare(call: Call): () => object;
}
