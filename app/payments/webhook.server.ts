import Stripe from "stripe";
import { type Event, eventShape } from "./events.server.ts";
import type { Payments } from "./payments.server.ts";

/** Maximum difference between the time of a webhook signature and now, in seconds. An older request may be a replay. */
const tolerance = 300;

/** Returns the event of a webhook request, or null unless the request has a valid, recent signature from Stripe and
 *  contains an event. */
export async function readEvent({ stripe, account, now }: Payments, request: Request): Promise<Event | null> {
	const header = request.headers.get("Stripe-Signature") ?? "";
	const text = await request.text();
	// the SDK also accepts a time in the future, one that is not a number, and the last of several
	const times = header.split(",").filter((item) => item.startsWith("t="));
	const [, time] = /^t=(\d+)$/.exec(times.join()) ?? [];
	if (!(Math.abs(now() - Number(time)) <= tolerance)) return null;
	try {
		// 0, because the time has been checked
		const signed = await stripe.webhooks.constructEventAsync(text, header, account.webhookSecret, 0);
		return eventShape.safeParse(signed).data ?? null;
	} catch (error) {
		if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null;
		throw error;
	}
}
