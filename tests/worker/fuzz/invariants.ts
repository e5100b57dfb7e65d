import assert from "node:assert/strict";
import type Stripe from "stripe";
import { checkOrder, checkPayment } from "../../simulation/invariants.ts";
import { type Order, orderQuery, orders } from "../../simulation/snapshot.ts";
import { type Shop, shopId } from "../../support/shop.ts";

// Checks the invariants of tests/simulation/invariants.ts on a running shop.

/** Checks I1, I2 and I3 for each of the shop's payments that has an order. */
export async function checkPayments({ d1, stripe }: Shop): Promise<void> {
	const intents: Stripe.PaymentIntent[] = [];
	for await (const intent of stripe.paymentIntents.list({ limit: 100 })) {
		if (intent.metadata["shop"] === shopId) intents.push(intent);
	}
	const { results } = await d1.prepare(orderQuery).all();
	const ordersById = new Map(orders.parse(results).map((order): [string, Order] => [order.id, order]));
	for (const { id, status, amount_received: received } of intents) {
		const order = ordersById.get(id);
		const { data } = await stripe.refunds.list({ payment_intent: id });
		// the money of an earlier refund that failed was refunded again by a later one
		const refunds = data.filter(({ status }, index) => index === 0 || status !== "failed");
		if (!order) continue;
		checkPayment({ id, status, received }, order, refunds);
		checkOrder(order, { id, status, received });
		const expected = status === "succeeded" ? ["paid", "refunded"] : ["placed", "abandoned"];
		assert(expected.includes(order.status), `${id} is ${status} and its order ${order.status}`);
	}
}

/** Checks that every order that is not abandoned has items (I6), that every item has an order, and that every paid
 *  order has an owner (I4). */
export async function checkRows({ d1 }: Shop): Promise<void> {
	for (const rows of [
		"orders where status != 'abandoned' and payment_intent_id not in (select payment_intent_id from order_items)",
		"order_items where payment_intent_id not in (select payment_intent_id from orders)",
		"orders where status = 'paid' and user_id is null and guest_token_hash is null",
	]) {
		assert.deepEqual((await d1.prepare(`select * from ${rows}`).all()).results, []);
	}
}
