import Stripe from "stripe";
import * as z from "zod/mini";
import { type Event, eventShape } from "./events.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Maximum difference between the time of a webhook signature and now, in seconds. An older request may be a replay. */
const tolerance = 300;

const text = z.catch(z.optional(z.string()), undefined);
/** The fields to log of anything else that Stripe signs, such as a thin event. */
const otherShape = z.catch(z.object({ id: text, type: text }), {});

/** Returns the event of a webhook request, the id and type of another signed object, or null unless the request is JSON
 *  with a valid, recent signature from Stripe. */
export async function verifyEvent(
	{ stripe, account, now }: Payments,
	request: Request,
): Promise<Event | z.infer<typeof otherShape> | null> {
	const header = request.headers.get("Stripe-Signature") ?? "";
	const body = await request.text();
	// the SDK also accepts a time in the future, one that is not a number, and the last of several
	const times = header.split(",").filter((item) => item.split("=")[0] === "t");
	const [, time] = /^t=(\d+)$/.exec(times.join()) ?? [];
	if (!(Math.abs(now() - Number(time)) <= tolerance)) return null;
	try {
		// constructEventAsync throws for a thin event. 0, because the time has been checked
		const isSigned = await stripe.webhooks.signature?.verifyHeaderAsync(body, header, account.webhookSecret, 0);
		if (!isSigned) return null;
		const signed: unknown = JSON.parse(body);
		return eventShape.safeParse(signed).data ?? otherShape.parse(signed);
	} catch (error) {
		if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null;
		throw error;
	}
}
