import type Stripe from "stripe";
import type { Store } from "../store.ts";
import type { Caller } from "./access.ts";
import type { Parameters } from "./parameters.ts";

export interface Call {
	caller: Caller;
	/** The client secret that a browser shows; null for a server, whose key is enough. */
	clientSecret: string | null;
	/** The id in the path, or "" where there is none. */
	id: string;
	params: Parameters;
	store: Store;
	/** Unix seconds. */
	now: number;
}

export interface Route {
	method: "GET" | "POST";
	path: RegExp;
	/** Whether a publishable key is enough. */
	openToBrowsers: boolean;
	/** Reads the parameters, throwing the ApiError of a wrong one, and answers the work itself. Only what the work comes
	 *  to is kept under an idempotency key. */
	prepare(call: Call): () => Stripe.PaymentIntent;
}
