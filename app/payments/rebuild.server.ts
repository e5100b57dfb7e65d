import { eq } from "drizzle-orm";
import type Stripe from "stripe";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import { log } from "#app/http/log.server.ts";
import { findOrder, type Owner, totalOf, type Unowned } from "#app/orders/orders.server.ts";
import { storeRebuiltOrder } from "#app/orders/store-order.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { users } from "#drizzle/schema.ts";
import { fromMetadata, hasCopy, type OrderCopy, rebuiltItems } from "./order-metadata.server.ts";
import type { Payments } from "./payments.server.ts";

/** Restores a payment's order from the copy in its metadata, ready to be fulfilled. Keeps an existing order that can
 *  still be fulfilled. Restores no order from a copy that this shop has not signed, or whose prices do not add up to
 *  the amount: an operator decides. Returns false if the metadata has no copy, because our page never placed that
 *  order. */
export async function rebuildOrder(payments: Payments, intent: Stripe.PaymentIntent): Promise<boolean> {
	const { account, primary, now } = payments;
	if (!hasCopy(intent)) return false;
	const order = await findOrder(primary, intent.id);
	if (order && order.status !== "abandoned" && order.amount === intent.amount_received) return true;
	const copy = fromMetadata(account, intent);
	if (!copy) return true;
	const items = rebuiltItems(copy, await listProducts(primary));
	if (totalOf(items) !== intent.amount_received) return true;
	const { status } = await storeRebuiltOrder(primary, {
		paymentIntentId: intent.id,
		amount: intent.amount_received,
		created: intent.created,
		owner: await findOwner(primary, copy, intent.id),
		now: now(),
		items,
	});
	log("order_rebuilt", { payment_intent: intent.id, status });
	return true;
}

/** Returns the copy's owner. If the account no longer exists, the order has no owner until an operator sets one. */
async function findOwner(
	primary: Database,
	{ userId, guestTokenHash }: OrderCopy,
	id: string,
): Promise<Owner | Unowned> {
	if (userId === null && guestTokenHash !== null) return { userId, guestTokenHash };
	const [user] = await primary
		.select({ id: users.id })
		.from(users)
		.where(eq(users.id, userId ?? ""));
	if (user) return { userId: user.id, guestTokenHash: null };
	log("order_without_owner", { payment_intent: id, user: userId }, "error");
	return { userId: null, guestTokenHash: null };
}
