import { and, eq } from "drizzle-orm";
import Stripe from "stripe";
import type { Database } from "#drizzle/db.server.ts";
import { orders } from "#drizzle/schema.ts";
import type { OpenStripe } from "./stripe.server.ts";

/** Gives up a payment: cancels it at Stripe first, and then abandons the order that was placed for it. False when it
 *  can no longer be cancelled, because somebody has just paid. */
export async function cancelPayment({ stripe }: OpenStripe, primary: Database, id: string): Promise<boolean> {
	try {
		await stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
	} catch (error) {
		if (!(error instanceof Stripe.errors.StripeError)) throw error;
		const isOver = error.code === "payment_intent_unexpected_state" && error.payment_intent?.status !== "canceled";
		if (isOver) return false;
		// cancelled already, or never heard of: as good as cancelled now
		if (error.code !== "payment_intent_unexpected_state" && error.code !== "resource_missing") throw error;
	}
	await primary
		.update(orders)
		.set({ status: "abandoned" })
		.where(and(eq(orders.paymentIntentId, id), eq(orders.status, "placed")));
	return true;
}
