import { and, eq, inArray, notExists } from "drizzle-orm";
import type Stripe from "stripe";
import { log } from "#app/http/log.server.ts";
import { twice } from "#drizzle/db.server.ts";
import { orders, refunds } from "#drizzle/schema.ts";
import type { Payments } from "./payments.server.ts";
import { retrievePaymentIntent } from "./stripe.server.ts";

export type Settlement =
	| "paid"
	/** The money has been given back, or is on its way. */
	| "refunded"
	/** Stripe does not know yet. */
	| "checking"
	| "not_paid"
	/** Stripe has the money and there is no order to pay with it. Reconcile decides about it. */
	| "orphan";

/** Settles a payment by what Stripe says of it now: nobody else's word is believed. Whoever hears of a payment calls
 *  this, as often as they like and all at once. */
export async function settle(payments: Payments, paymentIntentId: string): Promise<Settlement> {
	const intent = await retrievePaymentIntent(payments.stripe, paymentIntentId);
	return intent ? settleAs(intent, payments) : "not_paid";
}

/** Makes an order paid if, and only if, Stripe has taken its money: the only code that does. `intent` is as Stripe has
 *  just answered it. The condition in the UPDATE lets one of many callers win, and an order that is already paid stays
 *  as it is. */
export async function settleAs(
	intent: Stripe.PaymentIntent,
	{ account, primary, announce }: Payments,
): Promise<Settlement> {
	const paymentIntentId = intent.id;
	if (intent.metadata["shop"] !== account.shopId) return "not_paid";
	if (intent.status === "processing") return "checking";
	if (intent.status !== "succeeded" || intent.currency !== "usd") return "not_paid";

	const isThisIntent = eq(orders.paymentIntentId, paymentIntentId);
	const refund = primary.select().from(refunds).where(eq(refunds.paymentIntentId, paymentIntentId));
	let tries = 0;
	const [changed, [order], [givenBack]] = await twice(() => {
		tries++;
		return primary.batch([
			primary
				.update(orders)
				.set({ status: "paid" })
				.where(
					and(
						isThisIntent,
						inArray(orders.status, ["placed", "abandoned"]),
						eq(orders.amount, intent.amount_received),
						notExists(refund),
					),
				)
				.returning({ id: orders.paymentIntentId }),
			primary.select({ status: orders.status, userId: orders.userId }).from(orders).where(isThisIntent),
			refund,
		]);
	});
	if (changed.length > 0) log("settled", { payment_intent: paymentIntentId, amount: intent.amount_received });
	// a first try whose answer was lost may have been the one that changed it
	if (order?.status === "paid" && (changed.length > 0 || tries > 1)) await announce(order.userId);
	if (order?.status === "paid" || order?.status === "refunded") return order.status;
	if (givenBack) return givenBack.status === "failed" ? "checking" : "refunded";
	// the money is here and its order is not, or not at this amount: never a reason to say that nothing was paid
	log("orphan_payment", { payment_intent: paymentIntentId, order: order?.status ?? null }, "error");
	return "orphan";
}
