import { and, eq, isNull, ne, sql } from "drizzle-orm";
import Stripe from "stripe";
import { log } from "#app/http/log.server.ts";
import { orders, refunds } from "#drizzle/schema.ts";
import type { Payments } from "./payments.server.ts";
import { retrievePaymentIntent } from "./stripe.server.ts";

/** Gives the money of a payment without an order back. The row comes first, and only where no paid order is: from then
 *  on no order of this payment can become paid. Then Stripe is asked, under a key of each try's own: a stored 500 would
 *  come back under the same one for a day, and a second refund of the same money is refused. */
export async function refundOrphan(payments: Payments, id: string): Promise<void> {
	const isPaid = sql`select 1 from ${orders} where ${orders.paymentIntentId} = ${id} and ${orders.status} in ('paid', 'refunded')`;
	await payments.primary
		.insert(refunds)
		.select(sql`select ${id}, 'orphan', null, 'pending', 0, ${payments.now()} where not exists (${isPaid})`)
		.onConflictDoNothing();
	const [row] = await payments.primary
		.update(refunds)
		.set({ attempts: sql`${refunds.attempts} + 1` })
		.where(and(eq(refunds.paymentIntentId, id), eq(refunds.status, "pending"), isNull(refunds.refundId)))
		.returning({ attempts: refunds.attempts });
	if (row) await createRefund(payments, id, row.attempts);
	await recordRefunds(payments, id);
}

async function createRefund({ stripe, account }: Payments, id: string, attempt: number): Promise<void> {
	try {
		await stripe.refunds.create(
			{ payment_intent: id, metadata: { shop: account.shopId } },
			{ idempotencyKey: `refund-${id}-${attempt}` },
		);
	} catch (error) {
		if (!(error instanceof Stripe.errors.StripeError) || error.code !== "charge_already_refunded") throw error;
	}
}

/** Writes down what Stripe says has been given back of a payment, whoever asked for it. An order that is given back in
 *  full is refunded. */
export async function recordRefunds(payments: Payments, id: string): Promise<void> {
	const { stripe, primary, account, now, announce } = payments;
	const [intent, { data }] = await Promise.all([
		retrievePaymentIntent(stripe, id),
		stripe.refunds.list({ payment_intent: id, limit: 100 }),
	]);
	const [newest] = data;
	if (intent?.metadata["shop"] !== account.shopId || !newest) return;
	const alive = data.filter(({ status }) => status !== "failed" && status !== "canceled");
	const givenBack = alive.reduce((sum, { amount }) => sum + amount, 0);
	if (givenBack >= intent.amount_received) {
		const status = alive.every((refund) => refund.status === "succeeded")
			? ("succeeded" as const)
			: ("pending" as const);
		const row = { paymentIntentId: id, reason: "requested", refundId: newest.id, status, attempts: 0, created: now() };
		const [, [changed]] = await primary.batch([
			primary
				.insert(refunds)
				.values(row)
				.onConflictDoUpdate({ target: refunds.paymentIntentId, set: { refundId: newest.id, status } }),
			primary
				.update(orders)
				.set({ status: "refunded" })
				.where(and(eq(orders.paymentIntentId, id), ne(orders.status, "refunded")))
				.returning({ userId: orders.userId }),
		]);
		log("refunded", { payment_intent: id, refund: newest.id, status });
		if (changed) await announce(changed.userId);
		return;
	}
	if (alive.length < data.length) {
		await primary.update(refunds).set({ status: "failed" }).where(eq(refunds.paymentIntentId, id));
		log("refund_failed", { payment_intent: id, refund: newest.id }, "error");
		return;
	}
	log("partial_refund", { payment_intent: id, refund: newest.id, amount: givenBack });
}
