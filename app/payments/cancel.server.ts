import { and, eq, sql } from "drizzle-orm";
import Stripe from "stripe";
import { orderItems, orders } from "#drizzle/schema.ts";
import type { Payments } from "./payments.server.ts";

/** Seconds for which an abandoned order is kept, so that support can still find it. */
const abandonedOrderLifetime = 30 * 24 * 60 * 60;

/** Whether a payment can still be paid and is not being charged. */
export function isPayable({ status }: Stripe.PaymentIntent): boolean {
	return status === "requires_payment_method" || status === "requires_confirmation" || status === "requires_action";
}

/** Cancels a payment at Stripe, then abandons the order placed for it. Returns false when it can no longer be canceled,
 *  because it has been paid or is being paid. */
export async function cancelPayment(payments: Payments, id: string): Promise<boolean> {
	try {
		await payments.stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
	} catch (error) {
		if (!(error instanceof Stripe.errors.StripeError)) throw error;
		const isOver = error.code === "payment_intent_unexpected_state" && error.payment_intent?.status !== "canceled";
		if (isOver) return false;
		// canceled already, or never created
		if (error.code !== "payment_intent_unexpected_state" && error.code !== "resource_missing") throw error;
	}
	await abandonOrder(payments, id);
	return true;
}

/** Abandons the order of a canceled payment, if it has one. Its items are deleted, and a guest can no longer claim it:
 *  anyone can place orders without paying. */
export async function abandonOrder({ primary, now }: Payments, id: string): Promise<void> {
	const isAbandoned = sql`exists (select 1 from ${orders} where ${orders.paymentIntentId} = ${id} and ${orders.status} = 'abandoned')`;
	await primary.batch([
		primary
			.update(orders)
			.set({ status: "abandoned", dueAt: now() + abandonedOrderLifetime, placedFrom: null, guestTokenHash: null })
			.where(and(eq(orders.paymentIntentId, id), eq(orders.status, "placed"))),
		primary.delete(orderItems).where(and(eq(orderItems.paymentIntentId, id), isAbandoned)),
	]);
}
