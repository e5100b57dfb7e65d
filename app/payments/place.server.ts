import Stripe from "stripe";
import { basketTotal } from "#app/basket/basket.ts";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import type { Product } from "#app/catalogue/product.ts";
import { type Owner, storePlacedOrder } from "#app/orders/orders.server.ts";
import { paymentIntentIdOf } from "./api.server.ts";
import { toMetadata } from "./order-metadata.server.ts";
import type { Payments } from "./payments.server.ts";
import { hashAddress, readSignature } from "./signature.server.ts";
import { findPaymentIntent } from "./stripe.server.ts";

export type Placed =
	| "placed"
	| "unknown_product"
	| "unknown_payment_intent"
	| "payment_intent_gone"
	| "already_paid"
	/** Another place request for this PaymentIntent has replaced this one. */
	| "superseded"
	/** The owner or the IP address has too many unpaid orders. */
	| "too_many_unpaid"
	/** Prices in cents by product id, for the requested products that are still sold. */
	| { prices: Record<string, number> };

interface OrderToPlace {
	clientSecret: string;
	/** The signature returned by create. If it is missing ("") or invalid, the PaymentIntent is retrieved from
	 *  Stripe. */
	signature: string;
	/** The number of this place request for the PaymentIntent, starting at 1. */
	attempt: number;
	productIds: string[];
	owner: () => Owner;
	/** The client's IP address (for IPv6, its first 56 bits). */
	address: string;
}

/** Stores the order at current prices, just before the card is charged. If the prices do not add up to the
 *  PaymentIntent's amount, stores nothing and returns the prices. While the order is unpaid, a newer attempt overwrites
 *  its owner and items. Copies the order to the intent's metadata, from which reconcile can rebuild it. Stripe's
 *  response to that update also shows whether the intent can still be paid. */
export async function place(payments: Payments, order: OrderToPlace): Promise<Placed> {
	const signed = readSignature(payments.account, order.clientSecret, order.signature);
	const [catalogue, intent] = await Promise.all([
		listProducts(payments.primary),
		signed ?? findUnsigned(payments, order.clientSecret),
	]);
	const items = productsById(catalogue, order.productIds);
	const isComplete = items.length === order.productIds.length;
	// if the signature is valid, treat an unknown product as withdrawn, and return the prices
	if (!isComplete && !signed) return "unknown_product";
	if (typeof intent === "string") return intent;
	const amount = basketTotal(items);
	if (!isComplete || amount !== intent.amount) {
		return { prices: Object.fromEntries(items.map(({ id, priceCents }) => [id, priceCents])) };
	}

	const paymentIntentId = paymentIntentIdOf(order.clientSecret);
	const owner = order.owner();
	const stored = await storePlacedOrder(payments.primary, {
		paymentIntentId,
		amount,
		created: intent.created,
		attempt: order.attempt,
		owner,
		placedFrom: hashAddress(payments.account, order.address),
		now: payments.now(),
		items,
	});
	if (!stored) return "too_many_unpaid";
	if (stored.status === "abandoned") return "payment_intent_gone";
	if (stored.status !== "placed") return "already_paid";
	if (stored.attempt < order.attempt) return "too_many_unpaid";
	const isOwners = stored.userId === owner.userId && stored.guestTokenHash === owner.guestTokenHash;
	if (stored.attempt > order.attempt || !isOwners) return "superseded";
	return copyToMetadata(payments, paymentIntentId, toMetadata(owner, items));
}

async function copyToMetadata({ stripe }: Payments, id: string, metadata: Record<string, string>): Promise<Placed> {
	try {
		const { status } = await stripe.paymentIntents.update(id, { metadata });
		return unpayable(status) ?? "placed";
	} catch (error) {
		if (error instanceof Stripe.errors.StripeError && error.code === "resource_missing")
			return "unknown_payment_intent";
		throw error;
	}
}

/** Retrieves an intent whose signature is missing or invalid. Returns an error code if the intent cannot be paid. */
async function findUnsigned(payments: Payments, clientSecret: string) {
	const intent = await findPaymentIntent(payments, clientSecret);
	return intent ? (unpayable(intent.status) ?? intent) : "unknown_payment_intent";
}

function unpayable(status: string): "payment_intent_gone" | "already_paid" | null {
	if (status === "canceled") return "payment_intent_gone";
	return status === "succeeded" || status === "processing" ? "already_paid" : null;
}

/** Returns the products in the requested order, omitting ids that are not in the catalog. */
function productsById(catalogue: Product[], ids: string[]): Product[] {
	const byId = new Map(catalogue.map((product) => [product.id, product]));
	return ids.flatMap((id) => byId.get(id) ?? []);
}
