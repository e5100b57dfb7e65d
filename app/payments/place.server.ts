import type { SQL } from "drizzle-orm";
import Stripe from "stripe";
import type { Product } from "#app/catalogue/product.ts";
import type { Owner } from "#app/orders/orders.server.ts";
import { storePlacedOrder } from "#app/orders/store-order.server.ts";
import { basketTotal } from "#app/tab/basket.ts";
import { type PlaceRefusal, paymentIntentIdOf } from "./api.server.ts";
import { toMetadata } from "./order-metadata.server.ts";
import type { Payments } from "./payments.server.ts";
import { hashAddress, readSignature } from "./signature.server.ts";
import { findPaymentIntent } from "./stripe.server.ts";

export type Placed =
	| "placed"
	| PlaceRefusal
	/** Prices in cents by product id, for the requested products that are still sold. */
	| { prices: Record<string, number> };

interface OrderToPlace {
	clientSecret: string;
	/** The signature returned by create. If it is missing ("") or invalid, the PaymentIntent is retrieved from
	 *  Stripe. */
	signature: string;
	productIds: string[];
	owner: Owner;
	/** The customer of the request's session, as SQL (see auth/session-customer.server.ts). */
	sender: SQL;
	/** Resolves to whether the session is the owner's, according to `authenticate`. */
	isSenders: () => Promise<boolean>;
	/** The client's IP address (for IPv6, its first 56 bits). */
	address: string;
}

/** Stores the order at current prices, just before the card is charged. If the prices do not add up to the
 *  PaymentIntent's amount, stores nothing and returns the prices. A placed order keeps its items: placing it again
 *  only renews its times, and another owner or other items need another PaymentIntent. Then copies the order to the intent's
 *  metadata, from which reconcile can rebuild it. Stripe's response to that update also shows whether the intent can
 *  still be paid. */
export async function place(payments: Payments, order: OrderToPlace): Promise<Placed> {
	const { account, primary, now } = payments;
	const { clientSecret, productIds, owner, sender } = order;
	const signed = readSignature(account, clientSecret, order.signature);
	if (!signed && !(await order.isSenders())) return "identity_changed";
	const intent = signed ?? (await findUnsigned(payments, clientSecret));
	if (typeof intent === "string") return intent;
	const { amount, created } = intent;
	const paymentIntentId = paymentIntentIdOf(clientSecret);
	const placedFrom = hashAddress(account, order.address);
	const [isSenders, { found, catalogue }] = await Promise.all([
		order.isSenders(),
		storePlacedOrder(primary, {
			...{ paymentIntentId, amount, created, owner, sender, placedFrom, now: now(), productIds },
		}),
	]);
	if (!isSenders || !found?.isSenders) return "identity_changed";

	const items = productsById(catalogue, productIds);
	const isComplete = items.length === productIds.length;
	// if the signature is valid, treat an unknown product as withdrawn, and return the prices
	if (!isComplete && !signed) return "unknown_product";
	if (!isComplete || basketTotal(items) !== amount) {
		return { prices: Object.fromEntries(items.map(({ id, priceCents }) => [id, priceCents])) };
	}
	if (found.status === "abandoned") return "payment_intent_gone";
	if (found.status === "paid" || found.status === "refunded") return "already_paid";
	// the order was not stored
	if (found.status === null) return "too_many_unpaid";
	const isOwners = found.userId === owner.userId && found.guestTokenHash === owner.guestTokenHash;
	const metadata = toMetadata(account, paymentIntentId, owner, items);
	if (!isOwners || !isSameList(found.items ?? "", metadata.items)) return "another_order";
	return copyToMetadata(payments, paymentIntentId, metadata);
}

/** Returns whether two texts list the same items, in any order. */
function isSameList(a: string, b: string): boolean {
	return a.split(",").toSorted().join() === b.split(",").toSorted().join();
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
