import { eq } from "drizzle-orm";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { orders } from "#drizzle/schema.ts";

/** The id of a PaymentIntent, which is also that of its order. */
export const paymentIntentIdPattern = /^pi_[A-Za-z0-9]{1,100}$/;

export type FoundOrder = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

/** Returns an order's status, amount, time and owner, or null. Does not check ownership: callers have verified the
 *  client secret or act for the shop. */
export async function findOrder(primary: Database, paymentIntentId: string) {
	const { status, amount, created, userId, guestTokenHash } = orders;
	const [order] = await retryOnce(() =>
		primary
			.select({ status, amount, created, userId, guestTokenHash })
			.from(orders)
			.where(eq(orders.paymentIntentId, paymentIntentId)),
	);
	return order ?? null;
}
