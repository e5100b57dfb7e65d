import { and, eq, inArray, lte } from "drizzle-orm";
import Stripe from "stripe";
import { orderItems, orders } from "#drizzle/schema.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Retention period of abandoned orders, in seconds, during which support can find them. */
const abandonedOrderLifetime = 30 * 24 * 60 * 60;

/** Cancels a payment at Stripe, then marks its order as abandoned. Returns false if the payment cannot be canceled
 *  because it has been paid, is being processed, or does not exist at Stripe. */
export async function cancelPayment(payments: Payments, id: string): Promise<boolean> {
	try {
		await payments.stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
	} catch (error) {
		if (!(error instanceof Stripe.errors.StripeError)) throw error;
		if (error.code !== "payment_intent_unexpected_state" && error.code !== "resource_missing") throw error;
		if (error.payment_intent?.status !== "canceled") return false;
	}
	await abandonOrder(payments, id);
	return true;
}

/** Marks the order of a canceled payment, if any, as abandoned. Deletes its line items and its guest token, because
 *  anyone can place orders without paying. */
export async function abandonOrder({ primary, now }: Payments, id: string): Promise<void> {
	const isThis = eq(orders.paymentIntentId, id);
	const abandoned = primary
		.select({ id: orders.paymentIntentId })
		.from(orders)
		.where(and(isThis, eq(orders.status, "abandoned")));
	await primary.batch([
		primary
			.update(orders)
			.set({ status: "abandoned", dueAt: now() + abandonedOrderLifetime, guestTokenHash: null })
			.where(and(isThis, eq(orders.status, "placed"))),
		primary.delete(orderItems).where(inArray(orderItems.paymentIntentId, abandoned)),
	]);
}

/** Deletes abandoned orders after their retention period, and any line items that they still have. */
export async function deleteAbandonedOrders({ primary, now }: Payments): Promise<void> {
	const isExpired = and(eq(orders.status, "abandoned"), lte(orders.dueAt, now()));
	const expired = primary.select({ id: orders.paymentIntentId }).from(orders).where(isExpired);
	await primary.batch([
		primary.delete(orderItems).where(inArray(orderItems.paymentIntentId, expired)),
		primary.delete(orders).where(isExpired),
	]);
}
