import Stripe from "stripe";
import { type Event, eventShape } from "./events.server.ts";
import type { Payments } from "./payments.server.ts";

/** Maximum age of a webhook signature, in seconds. A request with an older signature may be a replay. */
const tolerance = 300;

/** Returns the event of a webhook request, or null unless the request has a valid, recent signature from Stripe and
 *  contains an event. */
export async function readEvent({ stripe, account, now }: Payments, request: Request): Promise<Event | null> {
	const signature = request.headers.get("Stripe-Signature") ?? "";
	const text = await request.text();
	const secret = account.webhookSecret;
	try {
		const signed = await stripe.webhooks.constructEventAsync(
			text,
			signature,
			secret,
			tolerance,
			undefined,
			now() * 1000,
		);
		return eventShape.safeParse(signed).data ?? null;
	} catch (error) {
		if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null;
		throw error;
	}
}
