import { and, eq, inArray, lte, type SQL } from "drizzle-orm";
import Stripe from "stripe";
import type { Database } from "#drizzle/db.server.ts";
import { orderItems, orders } from "#drizzle/schema.ts";
import { type Fulfillment, fulfill } from "./fulfill.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Retention period of abandoned orders, in seconds, during which support can find them. */
const abandonedOrderLifetime = 30 * 24 * 60 * 60;

/** The codes of Stripe's errors for a payment that has been paid or canceled, is being processed, or does not exist. */
const notCancelable = ["payment_intent_unexpected_state", "resource_missing"];

/** Ends an unpaid payment: cancels it at Stripe and abandons its order. If it can no longer be canceled, fulfills it.
 *  Returns the outcome. */
export async function cancelPayment(payments: Payments, id: string): Promise<Fulfillment | "unknown"> {
	try {
		await payments.stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
	} catch (error) {
		if (!(error instanceof Stripe.errors.StripeError && notCancelable.includes(error.code ?? ""))) throw error;
		const outcome = await fulfill(payments, id);
		if (outcome !== "canceled") return outcome;
	}
	await abandonOrder(payments, id);
	return "canceled";
}

/** Marks the order of a canceled payment, if any, as abandoned. Deletes its line items and its guest token, because
 *  anyone can place orders without paying. */
export async function abandonOrder({ primary, now }: Payments, id: string): Promise<void> {
	const isThis = eq(orders.paymentIntentId, id);
	await primary.batch([
		primary
			.update(orders)
			.set({ status: "abandoned", dueAt: now() + abandonedOrderLifetime, guestTokenHash: null })
			.where(and(isThis, eq(orders.status, "placed"))),
		deleteItems(primary, and(isThis, eq(orders.status, "abandoned"))),
	]);
}

/** Deletes abandoned orders after their retention period, and any line items that they still have. */
export async function deleteAbandonedOrders({ primary, now }: Payments): Promise<void> {
	const isExpired = and(eq(orders.status, "abandoned"), lte(orders.dueAt, now()));
	await primary.batch([deleteItems(primary, isExpired), primary.delete(orders).where(isExpired)]);
}

/** Returns the statement that deletes the line items of these orders. */
function deleteItems(primary: Database, isDeleted: SQL | undefined) {
	const deleted = primary.select({ id: orders.paymentIntentId }).from(orders).where(isDeleted);
	return primary.delete(orderItems).where(inArray(orderItems.paymentIntentId, deleted));
}
