import type * as z from "zod/mini";
import { hashToken } from "#app/auth/sessions.server.ts";
import { foldItems } from "#app/basket/fold-items.ts";
import { currency } from "#app/brand.ts";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import type { Owner } from "#app/orders/owner.server.ts";
import { type StoredLine, storePlacedOrder } from "#app/orders/store-order.server.ts";
import { basketTotal } from "#app/tab/basket.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import { findPaymentIntent, isPayable } from "./payment-intents.server.ts";
import type { PaymentErrorCode, placeShape } from "./shop-api.server.ts";
import { readSignature } from "./shop-signature.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** `prices`: prices in cents by product id, for the requested products that are not sold out or withdrawn. */
type Placed = "placed" | PaymentErrorCode | { prices: Record<string, number> };

/** The request, of which `productIds` has one id per unit. If its signature is missing ("") or invalid, the
 *  PaymentIntent is retrieved from Stripe. */
interface OrderToPlace extends Omit<z.output<typeof placeShape>, "customer"> {
	owner: Owner;
	/** Resolves to the id of the session's customer, or null for a guest. */
	customerId: Promise<string | null>;
}

/** Stores the order at current prices, just before the card is charged. If the prices do not add up to the
 *  PaymentIntent's amount, stores nothing and returns the prices. A placed order keeps its owner and its items: others need
 *  another PaymentIntent. With a valid signature, makes no call to Stripe, which refuses to confirm an intent that has been
 *  paid or canceled elsewhere (checkout/purchase-work.ts). */
export async function place(payments: Payments, order: OrderToPlace): Promise<Placed> {
	const { account, primary, now } = payments;
	const { clientSecret, owner } = order;
	const signed = readSignature(account, clientSecret, order.signature);
	const [customerId, catalogue, intent] = await Promise.all([
		order.customerId,
		listProducts(primary),
		signed ?? findPaymentIntent(payments, clientSecret),
	]);
	if (customerId !== owner.userId) return "identity_changed";
	if (!intent) return "unknown_payment_intent";
	if ("status" in intent && !isPayable(intent)) {
		return intent.status === "canceled" ? "payment_intent_gone" : "already_paid";
	}
	if (order.currency !== currency || intent.currency !== currency) return "currency_changed";
	const { amount, created } = intent;
	const available = catalogue.filter(({ status }) => status === "available");
	const units = order.productIds.flatMap((id) => available.find((product) => product.id === id) ?? []);
	const isComplete = units.length === order.productIds.length;
	// if the signature is valid, treat an unknown product as sold out, and return the prices
	if (!isComplete && !signed) return "unknown_product";
	if (!isComplete || basketTotal(units) !== amount) {
		return { prices: Object.fromEntries(units.map(({ id, priceCents }) => [id, priceCents])) };
	}
	const items = foldItems(units);
	const paymentIntentId = paymentIntentIdOf(clientSecret);
	const placed = { paymentIntentId, amount, currency, created, ...owner, items, now: now() };
	const stored = await storePlacedOrder(primary, placed, hashToken(clientSecret));
	if (stored.status === "abandoned") return "payment_intent_gone";
	if (stored.status !== "placed") return "already_paid";
	if (!stored.isOwners || !sameLines(stored.items, items)) return "another_order";
	return "placed";
}

/** Returns whether two orders have the same items at the same prices, in any sequence. */
function sameLines(a: StoredLine[], b: StoredLine[]): boolean {
	const sameLine = (one: StoredLine, other: StoredLine) =>
		one.id === other.id && one.quantity === other.quantity && one.priceCents === other.priceCents;
	return a.length === b.length && a.every((line) => b.some((other) => sameLine(line, other)));
}
