import { and, eq, exists, inArray, isNull, sql } from "drizzle-orm";
import Stripe from "stripe";
import { log } from "#app/http/log.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders, refunds } from "#drizzle/schema.ts";
import type { Payments } from "./stripe-api.server.ts";

/** The number of refunds that a run of reconcile may still create. */
export interface RefundBudget {
	left: number;
}

/** Refunds a payment that has no order. First adds a row to `refunds`, unless an order exists; after that, the payment
 *  can no longer mark an order as paid. Each attempt has its own idempotency key, because Stripe would replay a stored
 *  500 for a day under the same key. Stripe refuses to refund the same money twice. Only a refund that Stripe has
 *  accepted counts against the budget, because requests that always fail must not delay other refunds. */
export async function refundPayment(
	payments: Payments,
	intent: Stripe.PaymentIntent,
	budget: RefundBudget,
): Promise<void> {
	const { id } = intent;
	const hasOrder = sql`select 1 from ${orders} where ${orders.paymentIntentId} = ${id}`;
	const [, [row]] = await payments.primary.batch([
		payments.primary
			.insert(refunds)
			.select(sql`select ${id} as payment_intent_id, 'orphan' as reason, null as refund_id, 'pending' as status,
				0 as attempts, ${payments.now()} as created where not exists (${hasOrder})`)
			.onConflictDoNothing(),
		payments.primary
			.update(refunds)
			.set({ attempts: sql`${refunds.attempts} + 1` })
			.where(and(eq(refunds.paymentIntentId, id), eq(refunds.status, "pending"), isNull(refunds.refundId)))
			.returning({ attempts: refunds.attempts }),
	]);
	if (row && (await createRefund(payments, id, row.attempts))) budget.left--;
	await recordRefunds(payments, intent);
}

/** Returns whether Stripe has accepted a new refund. */
async function createRefund({ stripe, account }: Payments, id: string, attempt: number): Promise<boolean> {
	try {
		await stripe.refunds.create(
			{ payment_intent: id, metadata: { shop: account.shopId } },
			{ idempotencyKey: `refund-${id}-${attempt}` },
		);
		return true;
	} catch (error) {
		if (error instanceof Stripe.errors.StripeError && error.code === "charge_already_refunded") return false;
		throw error;
	}
}

/** Records a payment's refunds at Stripe, including refunds made in the dashboard. If completed and pending refunds
 *  cover the full amount, marks the order as refunded and returns "refunded", or "refunding" while a refund is pending.
 *  Otherwise, returns null, and records and logs the newest refund that has failed or that an operator has canceled. An
 *  order that was refunded with it is placed again, ready to be fulfilled, because the shop has its money. */
export async function recordRefunds(
	{ stripe, primary, now, notifyFeed }: Payments,
	{ id, amount_received }: Stripe.PaymentIntent,
): Promise<"refunded" | "refunding" | null> {
	const list = await stripe.refunds.list({ payment_intent: id, limit: 100 }).autoPagingToArray({ limit: 10_000 });
	const found = summarize(list, amount_received);
	if (!found) return null;
	const { refund, status } = found;
	const isThisOrder = eq(orders.paymentIntentId, id);
	const isItsFailure = and(eq(refunds.paymentIntentId, id), eq(refunds.status, "failed"));
	const hasFailed = exists(primary.select({ id: refunds.paymentIntentId }).from(refunds).where(isItsFailure));
	const row = { paymentIntentId: id, reason: "requested", refundId: refund.id, status, attempts: 0, created: now() };
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
	const details = { payment_intent: id, refund: refund.id };
	if (status === "failed") {
		if (recorded.length > 0) log("refund_failed", { ...details, status: refund.status }, "error");
		return null;
	}
	if (recorded.length > 0) log("refunded", { ...details, status });
	if (order) await notifyFeed(order.userId);
	return status === "succeeded" ? "refunded" : "refunding";
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
