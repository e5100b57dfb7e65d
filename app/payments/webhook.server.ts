import Stripe from "stripe";
import type { Database } from "#drizzle/db.server.ts";
import { settle } from "./settle.server.ts";
import type { OpenStripe } from "./stripe.server.ts";

/** Seconds; an older signature may have been recorded and played back. */
const tolerance = 300;

/** The event in a webhook request, or null unless Stripe has signed this very text, lately. `now` is in Unix seconds. */
export async function readEvent(
	{ stripe, account }: OpenStripe,
	now: number,
	request: Request,
): Promise<Stripe.Event | null> {
	const signature = request.headers.get("Stripe-Signature") ?? "";
	const text = await request.text();
	try {
		return await stripe.webhooks.constructEventAsync(
			text,
			signature,
			account.webhookSecret,
			tolerance,
			undefined,
			now * 1000,
		);
	} catch (error) {
		if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null;
		throw error;
	}
}

/** Acts on what Stripe says has happened. An event is a reason to look, never the truth: Stripe sends it at least once
 *  and in any order. Rejects when D1 or Stripe fails. */
export async function handleEvent(open: OpenStripe, primary: Database, event: Stripe.Event): Promise<void> {
	if (event.type !== "payment_intent.succeeded") return;
	const intent = event.data.object;
	if (intent.metadata["shop"] === open.account.shopId) await settle(open, primary, intent.id);
}
