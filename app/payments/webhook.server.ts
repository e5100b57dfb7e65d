import Stripe from "stripe";
import { z } from "zod";
import type { Database } from "#drizzle/db.server.ts";
import { settle } from "./settle.server.ts";
import type { OpenStripe } from "./stripe.server.ts";

/** Seconds; an older signature may have been recorded and played back. */
const tolerance = 300;

const eventShape = z.object({
	id: z.string(),
	object: z.literal("event"),
	type: z.string(),
	data: z.object({ object: z.looseObject({ id: z.string() }) }),
});
type Event = z.infer<typeof eventShape>;

const paymentIntentShape = z.object({
	id: z.string().regex(/^pi_[A-Za-z0-9]+$/),
	metadata: z.record(z.string(), z.string()),
});

/** The event in a webhook request, or null unless Stripe has signed this very text, lately, and it is an event. `now`
 *  is in Unix seconds. */
export async function readEvent({ stripe, account }: OpenStripe, now: number, request: Request): Promise<Event | null> {
	const signature = request.headers.get("Stripe-Signature") ?? "";
	const text = await request.text();
	const secret = account.webhookSecret;
	try {
		const signed = await stripe.webhooks.constructEventAsync(text, signature, secret, tolerance, undefined, now * 1000);
		return eventShape.safeParse(signed).data ?? null;
	} catch (error) {
		if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null;
		throw error;
	}
}

/** Acts on what Stripe says has happened. An event is a reason to look, never the truth: Stripe sends it at least once
 *  and in any order. Events about nothing of ours are fine. Rejects when D1 or Stripe fails. */
export async function handleEvent(open: OpenStripe, primary: Database, event: Event): Promise<void> {
	if (event.type !== "payment_intent.succeeded") return;
	const { data: intent } = paymentIntentShape.safeParse(event.data.object);
	if (intent?.metadata["shop"] === open.account.shopId) await settle(open, primary, intent.id);
}
