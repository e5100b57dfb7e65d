import type Stripe from "stripe";
import { noSuch } from "./errors.ts";
import { list } from "./list.ts";
import type { Call, Route } from "./routes.ts";

/** Retention period of events, in seconds. */
const eventLifetime = 30 * 24 * 60 * 60;

export const eventRoutes: readonly Route[] = [
	{
		name: "events.list",
		method: "GET",
		path: /^\/v1\/events$/,
		browsers: "refused",
		returns: "event",
		prepare: listAll,
	},
	{
		name: "events.retrieve",
		method: "GET",
		path: /^\/v1\/events\/(\w+)$/,
		browsers: "refused",
		returns: "event",
		prepare: retrieve,
	},
];

function listAll(call: Call) {
	const { params, store, now, deliveries } = call;
	const one = params.text("type");
	const types = params.list("types");
	const isOfType = one === undefined ? () => true : matching(one);
	const delivered = params.boolean("delivery_success");
	const listed = list(call, "event", {
		own: ["delivery_success", "type", "types"],
		matches: (event) => {
			if (!isOfType(event.type) || (types && !types.includes(event.type))) return false;
			return delivered === undefined || (deliveries.pending(event.id) === 0) === delivered;
		},
	});
	return () => {
		store.forgetEvents(now - eventLifetime);
		const found = listed();
		return { ...found, data: found.data.map((event) => withDeliveries(call, event)) };
	};
}

/** Returns a filter for event types. A pattern that ends with * selects a group, as `payment_intent.*` does. */
function matching(pattern: string): (type: string) => boolean {
	return (type) => (pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern);
}

function retrieve(call: Call) {
	call.params.only();
	return () => {
		call.store.forgetEvents(call.now - eventLifetime);
		const event = call.store.find("event", call.id);
		if (event) return withDeliveries(call, event);
		throw noSuch("event", call.id, "id");
	};
}

function withDeliveries({ deliveries }: Call, event: Stripe.Event): Stripe.Event {
	return { ...event, pending_webhooks: deliveries.pending(event.id) };
}
