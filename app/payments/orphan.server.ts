import { eq } from "drizzle-orm";
import type Stripe from "stripe";
import { basketTotal } from "#app/basket/basket.ts";
import { readProducts } from "#app/catalogue/catalogue.server.ts";
import { log } from "#app/http/log.server.ts";
import { type Nobody, type Owner, storePlacedOrder } from "#app/orders/orders.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders, users } from "#drizzle/schema.ts";
import { fromMetadata, type OrderCopy, rebuiltItems } from "./order-metadata.server.ts";
import type { Payments } from "./payments.server.ts";

/** Stores the order of a payment anew from the copy in its metadata, ready to be settled. False when there is no copy,
 *  it does not add up to what was paid, or an order is there already. */
export async function rebuildOrder({ primary, now }: Payments, intent: Stripe.PaymentIntent): Promise<boolean> {
	const isThisOrder = eq(orders.paymentIntentId, intent.id);
	if ((await primary.select({ id: orders.paymentIntentId }).from(orders).where(isThisOrder)).length > 0) return false;

	const copy = fromMetadata(intent.metadata);
	const items = copy && rebuiltItems(copy, await readProducts(primary));
	if (!items || basketTotal(items) !== intent.amount_received) return false;
	const status = await storePlacedOrder(primary, {
		paymentIntentId: intent.id,
		amount: intent.amount_received,
		created: intent.created,
		owner: await ownerIn(primary, copy, intent.id),
		now: now(),
		items,
	});
	log("order_rebuilt", { payment_intent: intent.id, status });
	return true;
}

/** The account may be lost as well: then nobody owns the order until the people who run the shop say who does. */
async function ownerIn(primary: Database, { userId, guestTokenHash }: OrderCopy, id: string): Promise<Owner | Nobody> {
	if (userId === null && guestTokenHash !== null) return { userId, guestTokenHash };
	const [user] = await primary
		.select({ id: users.id })
		.from(users)
		.where(eq(users.id, userId ?? ""));
	if (user) return { userId: user.id, guestTokenHash: null };
	log("order_without_owner", { payment_intent: id, user: userId }, "error");
	return { userId: null, guestTokenHash: null };
}
