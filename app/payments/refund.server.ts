import { and, eq, exists, inArray, sql } from "drizzle-orm";
import type Stripe from "stripe";
import { log } from "#app/http/log.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders, refunds } from "#drizzle/schema.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Records a payment's refunds at Stripe. If completed and pending refunds cover the full amount, marks the order as
 *  refunded and returns true. Otherwise, records and logs the newest refund that has failed or that an operator has
 *  canceled. An order that was refunded with it is placed again, ready to be fulfilled, because the shop has its money. */
export async function recordRefunds(payments: Payments, intent: Stripe.PaymentIntent): Promise<boolean> {
	const { stripe, primary, now, notifyFeed } = payments;
	const { id, amount_received } = intent;
	const list = await stripe.refunds.list({ payment_intent: id, limit: 100 }).autoPagingToArray({ limit: 10_000 });
	const found = summarize(list, amount_received);
	if (!found) return false;
	const { refund, status } = found;
	const isThisOrder = eq(orders.paymentIntentId, id);
	const isItsFailure = and(eq(refunds.paymentIntentId, id), eq(refunds.status, "failed"));
	const hasFailed = exists(primary.select({ id: refunds.paymentIntentId }).from(refunds).where(isItsFailure));
	const row = { paymentIntentId: id, refundId: refund.id, status, created: now() };
	const [recorded, , [order]] = await primary.batch([
		recordRefund(primary, row),
		status === "failed"
			? primary
					.update(orders)
					.set({ status: "placed" })
					.where(and(isThisOrder, eq(orders.status, "refunded"), hasFailed))
			: primary
					.update(orders)
					.set({ status: "refunded" })
					.where(and(isThisOrder, inArray(orders.status, ["placed", "paid"]))),
		primary.select({ userId: orders.userId }).from(orders).where(isThisOrder),
	]);
	if (recorded.length > 0) {
		const details = { payment_intent: id, refund: refund.id, status: refund.status };
		if (status === "failed") log("refund_failed", details, "error");
		else log("refunded", { ...details, status });
		// what was recorded may be older than what another request has recorded since
		return recordRefunds(payments, intent);
	}
	if (status === "failed") return false;
	if (order) notifyFeed(order.userId);
	return true;
}

/** Returns the refund to record and its status: of refunds of the full amount, the newest; otherwise, the newest that has
 *  failed or was canceled, or null if there is none. `refunds` are all of a payment, newest first. */
function summarize(refunds: Stripe.Refund[], received: number) {
	const failed = refunds.filter(({ status }) => status === "failed" || status === "canceled");
	const others = refunds.filter((refund) => !failed.includes(refund));
	const [newest] = refunds;
	const [newestFailed] = failed;
	if (newest && others.reduce((sum, { amount }) => sum + amount, 0) >= received) {
		const hasArrived = others.every(({ status }) => status === "succeeded");
		return { refund: newest, status: hasArrived ? ("succeeded" as const) : ("pending" as const) };
	}
	return newestFailed ? { refund: newestFailed, status: "failed" as const } : null;
}

/** Returns the statement that records a refund. It returns no row if the refund is already recorded, or if an operator
 *  has recorded that the money was returned without Stripe. */
function recordRefund(primary: Database, row: typeof refunds.$inferInsert) {
	const { refundId, status } = row;
	const isReturned = sql`${refunds.refundId} is null and ${refunds.status} = 'succeeded'`;
	return primary
		.insert(refunds)
		.values(row)
		.onConflictDoUpdate({
			target: refunds.paymentIntentId,
			set: { refundId, status },
			setWhere: sql`(${refunds.refundId} is not ${refundId} or ${refunds.status} != ${status}) and not (${isReturned})`,
		})
		.returning({ id: refunds.paymentIntentId });
}
