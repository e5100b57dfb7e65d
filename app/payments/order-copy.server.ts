import { eq } from "drizzle-orm";
import type Stripe from "stripe";
import { logError } from "#app/http/log.server.ts";
import type { StripeAccount } from "#app/http/services.server.ts";
import type { OrderToStore, StoredLine } from "#app/orders/store-order.server.ts";
import { orderItems, orders } from "#drizzle/schema.ts";
import { sameText, signItems } from "./shop-signature.server.ts";
import type { Payments } from "./stripe-api.server.ts";

// A paid order is copied to its PaymentIntent's metadata: Stripe's dashboard shows what was bought, and `npm run recover`
// restores an order that D1 has lost. The signature proves that this shop sold these items at these prices with this
// payment.

/** The copy of an order: every field that the PaymentIntent itself does not have. */
interface OrderCopy
	extends Omit<OrderToStore, "paymentIntentId" | "amount" | "currency" | "created" | "items" | "now"> {
	items: StoredLine[];
}

export function hasCopy({ metadata }: Pick<Stripe.PaymentIntent, "metadata">): boolean {
	return Boolean(metadata["items"]);
}

/** Copies an order to its payment's metadata. Never rejects: a failure is only logged. */
export async function copyOrder({ stripe, account, primary }: Payments, id: string): Promise<void> {
	try {
		const { productId, quantity, priceCents } = orderItems;
		const [[order], items] = await primary.batch([
			primary.select().from(orders).where(eq(orders.paymentIntentId, id)),
			primary
				.select({ id: productId, quantity, priceCents })
				.from(orderItems)
				.where(eq(orderItems.paymentIntentId, id)),
		]);
		if (order) await stripe.paymentIntents.update(id, { metadata: toMetadata(account, id, { ...order, items }) });
	} catch (error) {
		logError("not_copied", error, { payment_intent: id });
	}
}

/** Returns the metadata of a payment's order. Its items are id:quantity:cents, such as
 *  "4903850:2:19999,12321341:1:1196". They must fit within Stripe's limit of 500 characters per value. Stripe ignores keys
 *  with an empty value. */
function toMetadata(account: StripeAccount, paymentIntentId: string, copy: OrderCopy) {
	const { items, userId, guestTokenHash } = copy;
	const text = items.map(({ id, quantity, priceCents }) => `${id}:${quantity}:${priceCents}`).join(",");
	const items_signature = signItems(account, paymentIntentId, text);
	return { user_id: userId ?? "", guest_token_hash: guestTokenHash ?? "", items: text, items_signature };
}

/** Returns the copy of a payment's order, or null if this shop has not signed its items for this payment. */
export function fromMetadata(
	account: StripeAccount,
	{ id, metadata }: Pick<Stripe.PaymentIntent, "id" | "metadata">,
): OrderCopy | null {
	const { items: text = "", items_signature: signature = "" } = metadata;
	if (!sameText(signItems(account, id, text), signature)) return null;
	const items = text.split(",").map((line) => {
		const [id = "", quantity, priceCents] = line.split(":");
		return { id, quantity: Number(quantity), priceCents: Number(priceCents) };
	});
	return { userId: metadata["user_id"] || null, guestTokenHash: metadata["guest_token_hash"] || null, items };
}
