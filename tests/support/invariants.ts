import type Stripe from "stripe";
import { expect } from "vitest";
import type { Shop } from "./shop.ts";

/** The newest PaymentIntent, so that what is made after it can be told apart; undefined while there is none. */
export async function newestIntent({ stripe }: Shop): Promise<string | undefined> {
	return (await stripe.paymentIntents.list({ limit: 1 })).data[0]?.id;
}

/** Every payment made after `before` that succeeded is one paid order or one refund, and no other is either: I1, I2. An
 *  order, its items and the money agree: I3. */
export async function holdMoney(shop: Shop, before: string | undefined): Promise<void> {
	const newer = before ? { ending_before: before } : {};
	for await (const intent of shop.stripe.paymentIntents.list({ ...newer, limit: 100 })) {
		// another shop's money is its own affair
		if (intent.metadata["shop"] === "half-dozen-local") await holdPayment(shop, intent);
	}
}

async function holdPayment({ d1, stripe }: Shop, intent: Stripe.PaymentIntent): Promise<void> {
	const order = await d1
		.prepare(
			`select status, amount, (select sum(price_cents) from order_items i where i.payment_intent_id = o.payment_intent_id) items
			from orders o where payment_intent_id = ?`,
		)
		.bind(intent.id)
		.first();
	const { data: refunds } = await stripe.refunds.list({ payment_intent: intent.id });
	const state = `${intent.id} ${intent.status}, order ${JSON.stringify(order)}, ${refunds.length} refunds`;
	if (intent.status === "succeeded" && order?.["status"] === "paid") {
		expect(refunds.length, state).toBe(0);
		expect([order["amount"], order["items"]], state).toEqual([intent.amount_received, intent.amount_received]);
	} else if (intent.status === "succeeded") {
		expect([undefined, "refunded"], state).toContain(order?.["status"]);
		expect(
			refunds.map(({ amount }) => amount),
			state,
		).toEqual([intent.amount_received]);
	} else {
		expect(order?.["status"] ?? "none", state).toBeOneOf(["none", "placed", "abandoned"]);
		expect(refunds.length, state).toBe(0);
	}
}

/** A tab that was given these client secrets has no two intents that could both be charged: I5. */
export async function holdOneChargeable({ stripe }: Shop, secrets: string[]): Promise<void> {
	const ids = new Set(secrets.map((secret) => secret.replace(/_secret_.*/, "")));
	const intents = await Promise.all([...ids].map((id) => stripe.paymentIntents.retrieve(id)));
	const chargeable = intents.filter(({ status }) => status.startsWith("requires_") || status === "processing");
	expect(chargeable.length, "a tab has two intents that can both be charged").toBeLessThanOrEqual(1);
}

/** No order without items, no items without an order: I6. No paid order that nobody can see: I4. */
export async function holdRows(shop: Shop): Promise<void> {
	expect(await count(shop, "orders where payment_intent_id not in (select payment_intent_id from order_items)")).toBe(
		0,
	);
	expect(await count(shop, "order_items where payment_intent_id not in (select payment_intent_id from orders)")).toBe(
		0,
	);
	expect(await count(shop, "orders where status = 'paid' and user_id is null and guest_token_hash is null")).toBe(0);
}

/** A day after the last of it, every order and every refund has come to its end. */
export async function holdNothingOpen(shop: Shop): Promise<void> {
	expect(await count(shop, "orders where status = 'placed'")).toBe(0);
	expect(await count(shop, "refunds where status != 'succeeded'")).toBe(0);
}

async function count({ d1 }: Shop, query: string): Promise<unknown> {
	return d1.prepare(`select count(*) n from ${query}`).first("n");
}
