import * as z from "zod/mini";
import type { Payments } from "./payments.server.ts";
import { recordRefunds } from "./refund.server.ts";
import { type Settlement, settle } from "./settle.server.ts";

/** The events that mean something here. */
export const eventTypes = ["payment_intent.succeeded", "charge.refunded", "refund.updated", "refund.failed"] as const;

/** As much of an event as is looked at. */
export const eventShape = z.object({
	id: z.string(),
	object: z.literal("event"),
	type: z.string(),
	created: z.number(),
	data: z.object({ object: z.looseObject({ id: z.string() }) }),
});
export type Event = z.infer<typeof eventShape>;

const id = z.string().check(z.regex(/^pi_[A-Za-z0-9]+$/));
const intentShape = z.object({ id, metadata: z.record(z.string(), z.string()) });
const refundShape = z.object({ payment_intent: id });

/** Acts on what Stripe says has happened, and answers what a payment came to where the event is about one. An event is a
 *  reason to look, never the truth: it comes at least once and in any order. One about nothing of ours is fine, null.
 *  Rejects when D1 or Stripe fails. */
export async function handleEvent(
	payments: Payments,
	{ type, data: { object } }: Pick<Event, "type" | "data">,
): Promise<{ paymentIntentId: string; settlement: Settlement } | null> {
	if (type === "payment_intent.succeeded") {
		const intent = intentShape.safeParse(object).data;
		if (intent?.metadata["shop"] !== payments.account.shopId) return null;
		return { paymentIntentId: intent.id, settlement: await settle(payments, intent.id) };
	}
	const refund = eventTypes.some((known) => known === type) ? refundShape.safeParse(object).data : undefined;
	if (refund) await recordRefunds(payments, refund.payment_intent);
	return null;
}
