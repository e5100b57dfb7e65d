import { type Event, eventShape } from "./events.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Maximum age of a webhook signature, in seconds. An older request may be a replay. */
const tolerance = 300;

/** Returns the event of a webhook request, or null unless it is JSON with a valid, recent signature from Stripe. */
export async function verifyEvent({ stripe, account, now }: Payments, request: Request): Promise<Event | null> {
	const body = await request.text();
	const header = request.headers.get("Stripe-Signature") ?? "";
	const event = await stripe.webhooks
		.constructEventAsync(body, header, account.webhookSecret, tolerance, undefined, now() * 1000)
		.catch(() => null);
	return eventShape.safeParse(event).data ?? null;
}
