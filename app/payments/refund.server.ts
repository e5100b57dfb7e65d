import { and, eq, type SQL, sql } from "drizzle-orm";
import type Stripe from "stripe";
import { log } from "#app/http/log.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders, refundedOf, refunds } from "#drizzle/schema.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Records a payment's refunds at Stripe. If those that have not failed cover its order, marks the order as refunded. If they no
 *  longer do, because one has failed or was canceled, a refunded order is placed again, ready to be fulfilled: the shop has
 *  its money. Logs each refund that is new or has changed. */
export async function recordRefunds({ stripe, primary }: Payments, id: string): Promise<void> {
	const list = await stripe.refunds.list({ payment_intent: id, limit: 100 }).autoPagingToArray({ limit: 10_000 });
	if (list.length === 0) return;
	const isCovered = sql`(${refundedOf(id)} >= ${orders.amount})`;
	const setStatus = (status: "placed" | "refunded", isChanged: SQL) =>
		primary
			.update(orders)
			.set({ status })
			.where(and(eq(orders.paymentIntentId, id), isChanged));
	// the refunds first, because isCovered reads them
	const [recorded] = await primary.batch([
		storeRefunds(primary, id, list),
		setStatus("refunded", sql`${orders.status} in ('placed', 'paid') and ${isCovered}`),
		setStatus("placed", sql`${orders.status} = 'refunded' and not ${isCovered}`),
	]);
	for (const { refund, amount, isFailed } of recorded) {
		const details = { payment_intent: id, refund, amount, status: list.find(({ id }) => id === refund)?.status };
		if (isFailed) log("refund_failed", details, "error");
		else log("refunded", details);
	}
}

/** Returns the statement that stores the refunds of a payment, and returns those that are new or have changed. A state that
 *  is older than the stored one changes nothing: a refund that has failed stays so, and none becomes pending again. */
function storeRefunds(primary: Database, paymentIntentId: string, list: Stripe.Refund[]) {
	const rows = list.map(({ id, amount, status, created }) => ({ id, amount, status: storedStatus(status), created }));
	return primary
		.insert(refunds)
		.select(
			sql`select value ->> 'id', ${paymentIntentId}, value ->> 'amount', value ->> 'status', value ->> 'created'
				from json_each(${JSON.stringify(rows)}) where true`,
		)
		.onConflictDoUpdate({
			target: refunds.id,
			set: { status: sql`excluded.status` },
			setWhere: sql`${refunds.status} not in ('failed', excluded.status) and excluded.status <> 'pending'`,
		})
		.returning({ refund: refunds.id, amount: refunds.amount, isFailed: sql<0 | 1>`${refunds.status} = 'failed'` });
}

function storedStatus(status: string | null): (typeof refunds.$inferInsert)["status"] {
	if (status === "failed" || status === "canceled") return "failed";
	return status === "succeeded" ? status : "pending";
}
