import assert from "node:assert/strict";
import type Stripe from "stripe";
import { checkOneChargeable, checkOrder, checkPayment } from "../simulation/invariants.ts";
import { type Order, orderQuery, orders } from "../simulation/snapshot.ts";
import { idOf } from "./customer.ts";
import type { Shop } from "./shop.ts";

// Checks the invariants of tests/simulation/invariants.ts on a running shop.

/** Returns the id of the newest PaymentIntent, or undefined if there is none. */
export async function newestIntent({ stripe }: Shop): Promise<string | undefined> {
	return (await stripe.paymentIntents.list({ limit: 1 })).data[0]?.id;
}

/** Checks I1, I2 and I3 for each of the shop's payments made after the intent `before`. */
export async function checkPayments({ d1, stripe }: Shop, before: string | undefined): Promise<void> {
	const intents: Stripe.PaymentIntent[] = [];
	const newer = before ? { ending_before: before } : {};
	for await (const intent of stripe.paymentIntents.list({ ...newer, limit: 100 })) {
		if (intent.metadata["shop"] === "half-dozen-local") intents.push(intent);
	}
	const { results } = await d1.prepare(orderQuery).all();
	const ordersById = new Map(orders.parse(results).map((order): [string, Order] => [order.id, order]));
	for (const { id, status, amount_received: received } of intents) {
		const order = ordersById.get(id);
		const { data } = await stripe.refunds.list({ payment_intent: id });
		// the money of an earlier refund that failed was refunded again by a later one
		const refunds = data.filter(({ status }, index) => index === 0 || status !== "failed");
		checkPayment({ id, status, received }, order, refunds);
		if (!order) continue;
		checkOrder(order, { id, status, received });
		const expected = status === "succeeded" ? ["paid", "refunded"] : ["placed", "abandoned"];
		assert(expected.includes(order.status), `${id} is ${status} and its order ${order.status}`);
	}
}

/** Checks I5 for a tab that received these client secrets. */
export async function checkChargeable({ stripe }: Shop, secrets: string[]): Promise<void> {
	const ids = new Set(secrets.map(idOf));
	checkOneChargeable("the tab", await Promise.all([...ids].map((id) => stripe.paymentIntents.retrieve(id))));
}

/** Checks that every order that is not abandoned has items (I6), that every item has an order, and that every paid
 *  order has an owner (I4). */
export function checkRows(shop: Shop): Promise<void> {
	return checkNone(shop, [
		"orders where status != 'abandoned' and payment_intent_id not in (select payment_intent_id from order_items)",
		"order_items where payment_intent_id not in (select payment_intent_id from orders)",
		"orders where status = 'paid' and user_id is null and guest_token_hash is null",
	]);
}

/** Checks that every order and refund is final. Call it a day after the last payment. */
export function checkNothingOpen(shop: Shop): Promise<void> {
	return checkNone(shop, ["orders where status = 'placed'", "refunds where status != 'succeeded'"]);
}

async function checkNone({ d1 }: Shop, rows: string[]): Promise<void> {
	const counts = rows.map((some) => `select '${some.replaceAll("'", "''")}' what, count(*) n from ${some}`);
	const { results } = await d1.prepare(counts.join(" union all ")).all();
	assert.deepEqual(
		results.filter(({ n }) => n !== 0),
		[],
	);
}
