import { and, eq, gte, ne } from "drizzle-orm";
import type Stripe from "stripe";
import type { Line } from "#app/basket/fold-items.ts";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import { findOrder } from "#app/orders/find-order.server.ts";
import type { Owner } from "#app/orders/owner.server.ts";
import { storePlacedOrder } from "#app/orders/store-order.server.ts";
import { eventShape, eventTypes, findPayment } from "#app/payments/events.server.ts";
import { fulfillIntent } from "#app/payments/fulfill.server.ts";
import { fromMetadata } from "#app/payments/order-copy.server.ts";
import { isOurs, latestCharge, retrievePaymentIntent } from "#app/payments/payment-intents.server.ts";
import type { Payments } from "#app/payments/stripe-api.server.ts";
import { hasBeenPaid, type OrderRow, orders, refunds, users } from "#drizzle/schema.ts";

// What D1 has lost of what Stripe has done, for example after a restore of D1.

/** How a payment's order in D1 differs from the payment at Stripe. */
export type State =
	/** D1 has what Stripe has. */
	| "present"
	/** The order is placed, and the payment has succeeded. */
	| "paid but placed"
	/** D1 has no order, and the payment has a valid copy of it. */
	| "missing, with a copy"
	/** D1 has no order, and the payment has no copy of its amount that this shop has signed with this key. */
	| "missing, without a copy"
	/** The order has another amount or currency, or is abandoned. */
	| "does not fit"
	| "refunded only at Stripe"
	| "refunded only in D1"
	| "paid only in D1";

/** A payment and its order. */
export interface Finding {
	id: string;
	/** When the PaymentIntent was created, in Unix seconds; null if Stripe has none. */
	created: number | null;
	/** Cents. */
	amount: number;
	currency: string;
	/** The state that was found. */
	before: State;
	/** The state after `apply`, or the same. */
	after: State;
	/** Who can see the order: a customer's id, "guest" (the browser that paid) or "none". */
	owner: string;
}

/** Compares this shop's payments that have succeeded or changed since a time, in Unix seconds, with their orders in D1,
 *  oldest first. If `apply` is true, stores lost orders that have a copy, marks orders as paid and records refunds: a
 *  second call changes nothing. Never moves money. Rejects when D1 or Stripe fails. */
export async function recover(payments: Payments, since: number, apply: boolean): Promise<Finding[]> {
	const found: Finding[] = [];
	for (const id of await listPayments(payments, since)) {
		const first = await compare(payments, id);
		if (!first) continue;
		const { intent, state } = first;
		const canChange = apply && intent?.status === "succeeded" && state !== "missing, without a copy";
		if (canChange && state !== "present") await change(payments, intent);
		const last = canChange ? ((await compare(payments, id)) ?? first) : first;
		const { order } = last;
		found.push({
			id,
			created: intent?.created ?? null,
			amount: intent?.amount_received ?? order?.amount ?? 0,
			currency: intent?.currency ?? order?.currency ?? "",
			before: state,
			after: last.state,
			owner: await nameOwner(payments, order ?? (intent && findCopy(payments.account, intent))),
		});
	}
	return found.toSorted((a, b) => (a.created ?? 0) - (b.created ?? 0));
}

/** Lists the ids of the payments about which Stripe has an event since this time, and of the orders that D1 has since
 *  then. */
async function listPayments({ stripe, primary }: Payments, since: number): Promise<Set<string>> {
	const ids = new Set<string>();
	for await (const event of stripe.events.list({ types: [...eventTypes], created: { gte: since }, limit: 100 })) {
		const payment = findPayment(eventShape.parse(event));
		if (payment) ids.add(payment.id);
	}
	const placed = await primary
		.select({ id: orders.paymentIntentId })
		.from(orders)
		.where(and(gte(orders.placedAt, since), ne(orders.status, "abandoned")));
	for (const { id } of placed) ids.add(id);
	return ids;
}

/** Compares a payment with its order. Returns null if it is another shop's, or neither paid nor shown as paid. */
async function compare(payments: Payments, id: string) {
	const { stripe, primary, account } = payments;
	const intent = await retrievePaymentIntent(stripe, id);
	const [[order], stored] = await primary.batch([
		primary.select().from(orders).where(eq(orders.paymentIntentId, id)),
		primary.select().from(refunds).where(eq(refunds.paymentIntentId, id)),
	]);
	if (intent && !(await isOurs(payments, intent.id, intent.metadata["shop"]))) return null;
	const found = (state: State) => ({ intent, order, state });
	if (intent?.status !== "succeeded") return order && hasBeenPaid(order) ? found("paid only in D1") : null;
	const refunded = latestCharge(intent)?.amount_refunded ?? 0;
	if (!order && findCopy(account, intent)) return found("missing, with a copy");
	if (!order && refunded < intent.amount_received) return found("missing, without a copy");
	const fits = order?.amount === intent.amount_received && order.currency === intent.currency;
	if (order && (!fits || order.status === "abandoned")) return found("does not fit");
	const sum = (rows: typeof stored) =>
		rows.reduce((sum, { status, amount }) => sum + (status === "failed" ? 0 : amount), 0);
	// without what an operator has returned without Stripe
	const recorded = sum(stored.filter(({ id }) => !id.startsWith("manual")));
	if (recorded < refunded) return found("refunded only at Stripe");
	if (!order) return found("present");
	const isCovered = sum(stored) >= order.amount;
	if (recorded > refunded || (order.status === "refunded") !== isCovered) return found("refunded only in D1");
	if (isCovered) return found("present");
	return found(order.status === "paid" ? "present" : "paid but placed");
}

/** Makes D1 have what Stripe has of a succeeded payment. */
async function change(payments: Payments, intent: Stripe.PaymentIntent): Promise<void> {
	if (!(await findOrder(payments.primary, intent.id))) await restoreOrder(payments, intent);
	await fulfillIntent(payments, intent, true);
}

/** Returns the copy of a payment's order, or null if this shop has not signed it for this payment and its amount. */
function findCopy(account: Payments["account"], intent: Stripe.PaymentIntent) {
	const copy = fromMetadata(account, intent);
	const sum = copy?.items.reduce((sum, { quantity, priceCents }) => sum + quantity * priceCents, 0);
	return sum === intent.amount_received ? copy : null;
}

/** Stores the copy of a payment's order as placed, with its original prices and the current titles and images. */
async function restoreOrder(payments: Payments, intent: Stripe.PaymentIntent): Promise<void> {
	const { account, primary, now } = payments;
	const copy = findCopy(account, intent);
	if (!copy) return;
	const catalogue = await listProducts(primary);
	const items = copy.items.map(
		(line): Line => ({ ...(catalogue.find(({ id }) => id === line.id) ?? withdrawnProduct(line.id)), ...line }),
	);
	const { id: paymentIntentId, amount_received: amount, currency, created } = intent;
	const userId = (await hasAccount(payments, copy.userId)) ? copy.userId : null;
	const order = { ...copy, userId, paymentIntentId, amount, currency, created, items, now: now() };
	// no browser has the order's client secret
	await storePlacedOrder(primary, order, "");
}

const withdrawnProduct = (id: string) => ({ id, title: `Item ${id}, no longer sold`, image: "", rating: 3 });

async function nameOwner(payments: Payments, order: Pick<OrderRow, keyof Owner> | null | undefined): Promise<string> {
	if (!order) return "none";
	if (order.userId === null) return order.guestTokenHash === null ? "none" : "guest";
	return (await hasAccount(payments, order.userId)) ? order.userId : "none";
}

async function hasAccount({ primary }: Payments, id: string | null): Promise<boolean> {
	const found = await primary
		.select({ id: users.id })
		.from(users)
		.where(eq(users.id, id ?? ""));
	return found.length > 0;
}
