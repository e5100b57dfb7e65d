import type Stripe from "stripe";
import type { KeptWebhookEndpoint } from "../store.ts";
import { API_VERSION } from "./event.ts";
import { newId } from "./ids.ts";

/** Creates an enabled webhook endpoint with its own signing secret. `now` is in Unix seconds. */
export function newWebhookEndpoint(
	details: Pick<Stripe.WebhookEndpoint, "description" | "enabled_events" | "metadata" | "url">,
	now: number,
): KeptWebhookEndpoint {
	return {
		id: newId("we_"),
		object: "webhook_endpoint",
		api_version: API_VERSION,
		application: null,
		created: now,
		livemode: false,
		secret: newId("whsec_", 32),
		status: "enabled",
		...details,
	};
}
