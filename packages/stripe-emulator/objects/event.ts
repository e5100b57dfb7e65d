import type Stripe from "stripe";
import { newId } from "./ids.ts";

/** The Stripe API version of all objects. */
export const API_VERSION = "2026-10-28.endive";

/** The types of the events that the emulator creates. */
export const eventTypes = [
	"charge.captured",
	"charge.dispute.closed",
	"charge.dispute.created",
	"charge.dispute.funds_reinstated",
	"charge.dispute.funds_withdrawn",
	"charge.dispute.updated",
	"charge.expired",
	"charge.failed",
	"charge.refund.updated",
	"charge.refunded",
	"charge.succeeded",
	"charge.updated",
	"customer.created",
	"customer.deleted",
	"customer.updated",
	"payment_intent.amount_capturable_updated",
	"payment_intent.canceled",
	"payment_intent.created",
	"payment_intent.payment_failed",
	"payment_intent.processing",
	"payment_intent.requires_action",
	"payment_intent.succeeded",
	"payment_method.attached",
	"payment_method.detached",
	"payment_method.updated",
	"radar.early_fraud_warning.created",
	"radar.early_fraud_warning.updated",
	"refund.created",
	"refund.failed",
	"refund.updated",
	"setup_intent.canceled",
	"setup_intent.created",
	"setup_intent.requires_action",
	"setup_intent.setup_failed",
	"setup_intent.succeeded",
] as const satisfies readonly Stripe.Event["type"][];

type ContentOf<Event> = Event extends Stripe.Event ? Pick<Event, "type" | "data"> : never;

/** An event's type and its data: a snapshot of the object and, for an update, the previous values of the changed
 *  attributes. */
export type EventContent = ContentOf<Extract<Stripe.Event, { type: (typeof eventTypes)[number] }>>;

/** Creates an event. `request` is the API request that caused it; its fields are null for scheduled work. `now` is in
 *  Unix seconds. */
export function newEvent(content: EventContent, request: Stripe.Event.Request, now: number): Stripe.Event {
	return {
		id: newId("evt_"),
		object: "event",
		api_version: API_VERSION,
		created: now,
		livemode: false,
		pending_webhooks: 1,
		request,
		...content,
	};
}
