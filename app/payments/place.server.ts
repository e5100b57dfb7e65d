import { basketTotal } from "#app/basket/basket.ts";
import { readProducts } from "#app/catalogue/catalogue.server.ts";
import type { Product } from "#app/catalogue/product.ts";
import { type Owner, storePlacedOrder } from "#app/orders/orders.server.ts";
import { toMetadata } from "./order-metadata.server.ts";
import type { Payments } from "./payments.server.ts";
import { findPaymentIntent } from "./stripe.server.ts";

export type Placed =
	| "placed"
	| "unknown_product"
	| "unknown_payment_intent"
	| "payment_intent_gone"
	| "already_paid"
	/** Cents by product id, for every product that was asked for. */
	| { prices: Record<string, number> };

/** Stores the order, just before the card is charged, at the prices of this moment. The browser only says which
 *  products: when their sum is not the PaymentIntent's amount nothing is stored and the prices come back. While the
 *  order is not paid, placing again overwrites owner and items. The intent's metadata gets a second copy of the order,
 *  from which it can be rebuilt. */
export async function place(
	payments: Payments,
	order: { clientSecret: string; productIds: string[]; owner: () => Owner },
): Promise<Placed> {
	const [catalogue, intent] = await Promise.all([
		readProducts(payments.primary),
		findPaymentIntent(payments, order.clientSecret),
	]);
	const items = productsById(catalogue, order.productIds);
	if (!items) return "unknown_product";
	if (!intent) return "unknown_payment_intent";
	if (intent.status === "canceled") return "payment_intent_gone";
	if (intent.status === "succeeded" || intent.status === "processing") return "already_paid";

	const amount = basketTotal(items);
	if (amount !== intent.amount || intent.currency !== "usd") {
		return { prices: Object.fromEntries(items.map(({ id, priceCents }) => [id, priceCents])) };
	}

	const owner = order.owner();
	const status = await storePlacedOrder(payments.primary, {
		paymentIntentId: intent.id,
		amount,
		created: intent.created,
		owner,
		now: payments.now(),
		items,
	});
	if (status === "abandoned") return "payment_intent_gone";
	if (status !== "placed") return "already_paid";
	await payments.stripe.paymentIntents.update(intent.id, {
		metadata: toMetadata(owner, items),
	});
	return "placed";
}

/** The products in the order asked for, or null when one of the ids is not in the catalogue. */
function productsById(catalogue: Product[], ids: string[]): Product[] | null {
	const byId = new Map(catalogue.map((product) => [product.id, product]));
	const found = ids.flatMap((id) => byId.get(id) ?? []);
	return found.length === ids.length ? found : null;
}
