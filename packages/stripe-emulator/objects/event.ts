import type Stripe from "stripe";
import { newId } from "./ids.ts";

/** Something that Stripe tells the shop about: the type of the event, and the object as it is from then on. */
export type Happening =
	| {
			type: `payment_intent.${"created" | "requires_action" | "processing" | "succeeded" | "payment_failed" | "canceled"}`;
			object: Stripe.PaymentIntent;
	  }
	| { type: `charge.${"succeeded" | "failed" | "refunded"}`; object: Stripe.Charge }
	| { type: `refund.${"created" | "updated" | "failed"}`; object: Stripe.Refund };

/** The version of Stripe's API that all objects have the shape of. */
export const API_VERSION = "2026-10-28.endive";

/** `request` is the call that caused it, or null for what comes about by itself. `now` is in Unix seconds. */
export function newEvent(happening: Happening, request: Stripe.Event.Request | null, now: number): Stripe.Event {
	const event = {
		id: newId("evt_"),
		object: "event",
		api_version: API_VERSION,
		created: now,
		livemode: false,
		pending_webhooks: 1,
		request,
	} as const;
	// One case for each kind of object: only so does the type of the event go with the type of what it is about.
	switch (happening.type) {
		case "payment_intent.created":
		case "payment_intent.requires_action":
		case "payment_intent.processing":
		case "payment_intent.succeeded":
		case "payment_intent.payment_failed":
		case "payment_intent.canceled":
			return { ...event, type: happening.type, data: { object: happening.object } };
		case "charge.succeeded":
		case "charge.failed":
		case "charge.refunded":
			return { ...event, type: happening.type, data: { object: happening.object } };
		case "refund.created":
		case "refund.updated":
		case "refund.failed":
			return { ...event, type: happening.type, data: { object: happening.object } };
	}
}
