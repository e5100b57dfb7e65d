import type Stripe from "stripe";
import { newId } from "./ids.ts";

/** An event's type and a snapshot of its object. */
export type EventContent =
	| {
			type: `payment_intent.${"created" | "requires_action" | "processing" | "succeeded" | "payment_failed" | "canceled"}`;
			object: Stripe.PaymentIntent;
	  }
	| { type: `charge.${"succeeded" | "failed" | "refunded"}`; object: Stripe.Charge }
	| { type: `refund.${"created" | "updated" | "failed"}`; object: Stripe.Refund };

/** The Stripe API version of all objects. */
export const API_VERSION = "2026-10-28.endive";

/** Creates an event. `request` is the API request that caused it, or null for scheduled work. `now` is in Unix
 *  seconds. */
export function newEvent(content: EventContent, request: Stripe.Event.Request | null, now: number): Stripe.Event {
	const event = {
		id: newId("evt_"),
		object: "event",
		api_version: API_VERSION,
		created: now,
		livemode: false,
		pending_webhooks: 1,
		request,
	} as const;
	// one return for each kind of object, so that TypeScript can match the event type with the object's type
	switch (content.type) {
		case "payment_intent.created":
		case "payment_intent.requires_action":
		case "payment_intent.processing":
		case "payment_intent.succeeded":
		case "payment_intent.payment_failed":
		case "payment_intent.canceled":
			return { ...event, type: content.type, data: { object: content.object } };
		case "charge.succeeded":
		case "charge.failed":
		case "charge.refunded":
			return { ...event, type: content.type, data: { object: content.object } };
		case "refund.created":
		case "refund.updated":
		case "refund.failed":
			return { ...event, type: content.type, data: { object: content.object } };
	}
}
