import { eq } from "drizzle-orm";
import type Stripe from "stripe";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import type { Product } from "#app/catalogue/product.ts";
import { log } from "#app/http/log.server.ts";
import { findOrder } from "#app/orders/find-order.server.ts";
import type { Owner } from "#app/orders/owner.server.ts";
import { type LineItem, type OrderToStore, storeRebuiltOrder, totalOf } from "#app/orders/store-order.server.ts";
import type { StripeAccount } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { type OrderRow, users } from "#drizzle/schema.ts";
import { sameText, signItems } from "./shop-signature.server.ts";
import type { Payments } from "./stripe-api.server.ts";

// A PaymentIntent's metadata contains a copy of its order, from which reconcile can rebuild a lost order. The signature
// proves that this shop placed these items at these prices for this payment, whatever their prices are today.

/** The copy of an order in metadata: every field that the PaymentIntent itself does not have. */
interface OrderCopy
	extends Omit<OrderToStore, "paymentIntentId" | "amount" | "currency" | "created" | "items" | "now"> {
	items: Pick<LineItem, "id" | "quantity" | "priceCents">[];
}

/** Metadata with a key for every field of the copy: user_id for userId. */
type Metadata = Record<SnakeCase<keyof OrderCopy> | "items_signature", string>;
type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
	? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
	: "";

/** Returns the metadata of a payment's order. Its items are id:quantity:cents, such as
 *  "4903850:2:19999,12321341:1:1196". They must fit within Stripe's limit of 500 characters per value. */
export function toMetadata(account: StripeAccount, paymentIntentId: string, { items, ...copy }: OrderCopy): Metadata {
	const text = items.map(({ id, quantity, priceCents }) => `${id}:${quantity}:${priceCents}`).join(",");
	return { ...toOwnerMetadata(copy), items: text, items_signature: signItems(account, paymentIntentId, text) };
}

/** Returns the metadata of an order's owner. Stripe deletes keys with an empty value. */
export function toOwnerMetadata({ userId, guestTokenHash }: Pick<OrderRow, keyof Owner>) {
	return { user_id: userId ?? "", guest_token_hash: guestTokenHash ?? "" };
}

/** Returns whether a payment has a copy of an order, signed or not. Our page never placed an order of any other. */
export function hasCopy({ metadata }: Pick<Stripe.PaymentIntent, "metadata">): boolean {
	return Boolean(metadata["items"]);
}

/** Returns the copy of the order, or null if this shop has not signed its items for this payment. */
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

/** Returns the purchased items with their original prices and the current titles and images. A product that is no
 *  longer sold gets a placeholder title and no image. */
function rebuiltItems({ items }: OrderCopy, catalogue: Product[]): LineItem[] {
	return items.map((line) => ({
		...(catalogue.find(({ id }) => id === line.id) ?? withdrawnProduct(line.id)),
		...line,
	}));
}

const withdrawnProduct = (id: string) => ({ id, title: `Item ${id}, no longer sold`, image: "", rating: 3 });

/** Restores a payment's order from the copy in its metadata, ready to be fulfilled. Keeps an existing order of that
 *  amount, unless it is abandoned. Restores no order from a copy that this shop has not signed, or whose prices do not
 *  add up to the amount: an operator decides. */
export async function rebuildOrder(payments: Payments, intent: Stripe.PaymentIntent): Promise<void> {
	const { account, primary, now } = payments;
	const copy = fromMetadata(account, intent);
	if (!copy) return;
	const order = await findOrder(primary, intent.id);
	if (order && order.status !== "abandoned" && order.amount === intent.amount_received) return;
	const items = rebuiltItems(copy, await listProducts(primary));
	if (totalOf(items) !== intent.amount_received) return;
	const owner = await ownerOfCopy(primary, copy, intent.id);
	const { id: paymentIntentId, amount_received: amount, currency, created } = intent;
	const rebuilt = { ...copy, ...owner, paymentIntentId, amount, currency, created, now: now(), items };
	const { status } = await storeRebuiltOrder(primary, rebuilt);
	log("order_rebuilt", { payment_intent: intent.id, status });
}

/** Returns the copy's owner. If the account no longer exists, the order has no owner until an operator sets one. */
async function ownerOfCopy(
	primary: Database,
	{ userId, guestTokenHash }: OrderCopy,
	id: string,
): Promise<Pick<OrderRow, keyof Owner>> {
	if (userId === null && guestTokenHash !== null) return { userId, guestTokenHash };
	const [user] = await primary
		.select({ id: users.id })
		.from(users)
		.where(eq(users.id, userId ?? ""));
	if (user) return { userId: user.id, guestTokenHash: null };
	log("order_without_owner", { payment_intent: id, user: userId }, "error");
	return { userId: null, guestTokenHash: null };
}
