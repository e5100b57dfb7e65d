import { and, eq } from "drizzle-orm";
import Stripe from "stripe";
import { orders } from "#drizzle/schema.ts";
import type { Payments } from "./payments.server.ts";

/** Gives up a payment: cancels it at Stripe first, and then abandons the order that was placed for it. False when it
 *  can no longer be cancelled, because somebody has just paid. */
export async function cancelPayment({ stripe, primary }: Payments, id: string): Promise<boolean> {
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
