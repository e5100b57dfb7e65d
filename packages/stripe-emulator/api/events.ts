import type Stripe from "stripe";
import { list } from "./list.ts";
import type { Call, Route } from "./routes.ts";

export const eventRoutes: readonly Route[] = [
	{ name: "events.list", browsers: false, prepare: listAll },
	{ name: "events.retrieve", browsers: false, prepare: retrieve },
	{ name: "events.retry", browsers: false, prepare: retry },
];

function listAll(call: Call) {
	const { params } = call;
	const one = params.text("type");
	const types = params.list("types") ?? (one === undefined ? undefined : [one]);
	const delivered = params.boolean("delivery_success");
	const where = {
		"object ->> '$.type' IN (SELECT value FROM json_each(?))": types && JSON.stringify(types),
		"EXISTS (SELECT 1 FROM deliveries WHERE event = id AND state = 'succeeded') = ?":
			delivered === undefined ? undefined : Number(delivered),
	};
	const listed = list(call, "event", { own: ["delivery_success", "type", "types"], where });
	return () => {
		const found = listed();
		return { ...found, data: found.data.map((event) => withDeliveries(call, event)) };
	};
}

function retrieve(call: Call) {
	call.params.only();
	return () => find(call);
}

/** Sends an event again, as `stripe events resend` does. */
function retry(call: Call) {
	call.params.only("for_stripecli", "webhook_endpoint");
	return () => {
		find(call);
		call.deliveries.resend(call.id);
		return find(call);
	};
}

function find(call: Call): Stripe.Event {
	return withDeliveries(call, call.store.get("event", call.id, "id"));
}

function withDeliveries({ deliveries }: Call, event: Stripe.Event): Stripe.Event {
	return { ...event, pending_webhooks: deliveries.succeeded(event.id) ? 0 : 1 };
}
