import type Stripe from "stripe";
import { noSuch } from "../errors.ts";
import { API_VERSION } from "../objects/event.ts";
import type { Call, Route } from "./routes.ts";

const id = "we_emulator";

/** The account has one endpoint, which receives every event unless it is disabled. */
export const webhookEndpointRoutes: readonly Route[] = [
	{ name: "webhook_endpoints.list", browsers: false, prepare: listAll },
	{ name: "webhook_endpoints.update", browsers: false, prepare: update },
];

function listAll(call: Call) {
	call.params.only("limit");
	return () => ({ object: "list", data: [describe(call)], has_more: false, url: "/v1/webhook_endpoints" });
}

function update(call: Call) {
	call.params.only("disabled");
	const disabled = call.params.boolean("disabled");
	return () => {
		if (call.id !== id) throw noSuch("webhook_endpoint", call.id, "webhook_endpoint");
		if (disabled !== undefined) call.endpoint.disabled = disabled;
		return describe(call);
	};
}

function describe({ endpoint }: Call): Stripe.WebhookEndpoint {
	return {
		...{ id, object: "webhook_endpoint", api_version: API_VERSION, application: null, created: 0, description: null },
		...{ enabled_events: ["*"], livemode: false, metadata: {} },
		status: endpoint.disabled ? "disabled" : "enabled",
		url: endpoint.url(),
	};
}
