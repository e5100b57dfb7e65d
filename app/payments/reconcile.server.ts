import { and, asc, eq, lt } from "drizzle-orm";
import type { Database } from "#drizzle/db.server.ts";
import { orders } from "#drizzle/schema.ts";
import { settle } from "./settle.server.ts";
import type { OpenStripe } from "./stripe.server.ts";

/** Seconds; a younger order's shopper is still here, and their own return settles it. */
const patience = 60;
/** Orders in one run. */
const batch = 50;

/** Finds out about payments that nobody has told us of: asks Stripe about every placed order, those not asked about for
 *  longest first. Safe to run twice at once, and to kill. `now` is in Unix seconds. */
export async function reconcile(open: OpenStripe, primary: Database, now: number): Promise<void> {
	const unpaid = await primary
		.select({ id: orders.paymentIntentId })
		.from(orders)
		.where(and(eq(orders.status, "placed"), lt(orders.checkedAt, now - patience)))
		.orderBy(asc(orders.checkedAt))
		.limit(batch);
	for (const { id } of unpaid) {
		const settlement = await settle(open, primary, id);
		await primary.update(orders).set({ checkedAt: now }).where(eq(orders.paymentIntentId, id));
		console.info(JSON.stringify({ event: "reconciled", payment_intent: id, settlement }));
	}
}
