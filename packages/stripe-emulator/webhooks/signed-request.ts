import Stripe from "stripe";
import { newId } from "../objects/ids.ts";

/** How a webhook is made invalid. body: changed after signing. signature: signed with another secret. timestamp: valid,
 *  but six minutes old. */
export type Tampering = "none" | "body" | "signature" | "timestamp";

const stripe = new Stripe("sk_test_unused");
const sixMinutes = 6 * 60;

/** Returns the webhook request for an event, signed as Stripe signs it. `now` is in Unix seconds. */
export async function signedRequest(
	event: Stripe.Event,
	{ url, secret, now, tampering }: { url: string; secret: string; now: number; tampering: Tampering },
): Promise<Request> {
	const payload = JSON.stringify(event, null, 2);
	const signature = await stripe.webhooks.generateTestHeaderStringAsync({
		payload,
		secret: tampering === "signature" ? newId("whsec_") : secret,
		timestamp: tampering === "timestamp" ? now - sixMinutes : now,
	});
	return new Request(url, {
		method: "POST",
		// a redirect is a failure, so it is not followed
		redirect: "manual",
		headers: {
			"Content-Type": "application/json; charset=utf-8",
			"Stripe-Signature": signature,
			"User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
		},
		body: tampering === "body" ? payload.replace(event.id, newId("evt_")) : payload,
	});
}
