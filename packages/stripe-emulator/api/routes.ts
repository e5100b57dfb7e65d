import type Stripe from "stripe";
import type { EventContent } from "../objects/event.ts";
import type { Store } from "../store.ts";
import type { Caller } from "./access.ts";
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
	/** The client secret that a browser sent; null for a server. */
	clientSecret: string | null;
	/** The id in the path; "" if the path has none. */
	id: string;
	params: Parameters;
	deliveries: { succeeded(eventId: string): boolean; resend(eventId: string): void };
	/** The account's only webhook endpoint. */
	endpoint: { url(): string; disabled: boolean };
	/** Records a snapshot of the intent before it is confirmed. Stale retrieves return it until the response is
	 *  sent. */
	confirming(intent: Stripe.PaymentIntent): void;
	/** Returns the intent that `retrieve` responds with, which is stale if stale_retrieve is set. */
	retrieved(intent: Stripe.PaymentIntent): Stripe.PaymentIntent;
}

/** An endpoint, named like the SDK's method: `payment_intents.confirm`. The name determines the URL; see `nameOf`. */
export interface Route {
	name: string;
	/** Whether a browser may call the endpoint. It must send the intent's client secret. */
	browsers: boolean;
	/** Validates the parameters and returns the work to run. Throws an ApiError for an invalid parameter. Only the
	 *  result of the work is stored under an idempotency key. */
	prepare(call: Call): () => object;
}

/** Returns the name and id of a URL: `GET /v1/x` is x.list, `POST /v1/x` x.create, `GET /v1/x/:id` x.retrieve,
 *  `POST /v1/x/:id` x.update, and `POST /v1/x/:id/action` x.action. Returns undefined for any other URL. */
export function nameOf(method: string, path: string): { name: string; id: string } | undefined {
	const [, resource, id, action] = /^\/v1\/(\w+)(?:\/(\w+)(?:\/(\w+))?)?$/.exec(path) ?? [];
	if (resource === undefined || (method !== "GET" && method !== "POST")) return undefined;
	const reads = method === "GET";
	if (id === undefined) return { name: `${resource}.${reads ? "list" : "create"}`, id: "" };
	if (id === "search") return { name: `${resource}.search`, id: "" };
	if (action === undefined) return { name: `${resource}.${reads ? "retrieve" : "update"}`, id };
	// otherwise, POST /v1/x/:id/update would also be x.update
	const isVerb = ["list", "create", "retrieve", "update"].includes(action);
	return reads || isVerb ? undefined : { name: `${resource}.${action}`, id };
}
