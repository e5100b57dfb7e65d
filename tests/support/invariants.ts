import assert from "node:assert/strict";
import type Stripe from "stripe";
import type { Shop } from "./shop.ts";

/** The newest PaymentIntent, so that what is made after it can be told apart; undefined while there is none. */
export async function newestIntent({ stripe }: Shop): Promise<string | undefined> {
	return (await stripe.paymentIntents.list({ limit: 1 })).data[0]?.id;
}

/** Ends the emulator's faults, runs the cron for ten minutes as it runs every five, and holds the invariants of every
 *  payment made after `before`. */
export async function holdAfterReconcile(shop: Shop, before: string | undefined): Promise<void> {
	await shop.control({ control: "calm" });
	for (let minutes = 0; minutes < 10; minutes += 5) {
		await shop.advance(300);
		await shop.reconcile();
	}
	await holdMoney(shop, before);
	await holdRows(shop);
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
			`select status, amount, (select sum(price_cents * quantity) from order_items i where i.payment_intent_id = o.payment_intent_id) items
			from orders o where payment_intent_id = ?`,
		)
		.bind(intent.id)
		.first();
	const { data: refunds } = await stripe.refunds.list({ payment_intent: intent.id });
	const state = `${intent.id} ${intent.status}, order ${JSON.stringify(order)}, ${refunds.length} refunds`;
	const status = order?.["status"];
	if (intent.status === "succeeded" && status === "paid") {
		assert.equal(refunds.length, 0, state);
		assert.equal(order?.["amount"], intent.amount_received, state);
		assert.equal(order?.["items"], intent.amount_received, state);
	} else if (intent.status === "succeeded") {
		assert(status === undefined || status === "refunded", state);
		assert.deepEqual(
			refunds.map(({ amount }) => amount),
			[intent.amount_received],
			state,
		);
	} else {
		assert(status === undefined || status === "placed" || status === "abandoned", state);
		assert.equal(refunds.length, 0, state);
	}
}

/** A tab that was given these client secrets has no two intents that could both be charged: I5. */
export async function holdOneChargeable({ stripe }: Shop, secrets: string[]): Promise<void> {
	const ids = new Set(secrets.map((secret) => secret.replace(/_secret_.*/, "")));
	const intents = await Promise.all([...ids].map((id) => stripe.paymentIntents.retrieve(id)));
	const chargeable = intents.filter(({ status }) => status.startsWith("requires_") || status === "processing");
	assert(chargeable.length <= 1, "a tab has two intents that can both be charged");
}

/** No order without items but abandoned ones, no items without an order: I6. No paid order that nobody can see: I4. */
export function holdRows(shop: Shop): Promise<void> {
	return holdNone(shop, [
		"orders where status != 'abandoned' and payment_intent_id not in (select payment_intent_id from order_items)",
		"order_items where payment_intent_id not in (select payment_intent_id from orders)",
		"orders where status = 'paid' and user_id is null and guest_token_hash is null",
	]);
}

/** A day after the last of it, every order and every refund has come to its end. */
export function holdNothingOpen(shop: Shop): Promise<void> {
	return holdNone(shop, ["orders where status = 'placed'", "refunds where status != 'succeeded'"]);
}

async function holdNone({ d1 }: Shop, rows: string[]): Promise<void> {
	const counts = rows.map((some) => `select '${some.replaceAll("'", "''")}' what, count(*) n from ${some}`);
	const { results } = await d1.prepare(counts.join(" union all ")).all();
	assert.deepEqual(
		results.filter(({ n }) => n !== 0),
		[],
	);
}
