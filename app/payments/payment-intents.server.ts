import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { findOrder } from "#app/orders/find-order.server.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import { refunds } from "#drizzle/schema.ts";
import { sameText } from "./shop-signature.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Returns a PaymentIntent's current state, with its latest charge, which shows whether it was refunded; null if the
 *  account has no such payment, as for all of the shop's payments with the keys of another account or mode. */
export async function retrievePaymentIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | null> {
	try {
		return await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
	} catch (error) {
		if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") return null;
		throw error;
	}
}

/** Returns the PaymentIntent with this client secret, or null if this shop has none. The secret authenticates the
 *  payer. */
export async function findPaymentIntent(
	payments: Payments,
	clientSecret: string,
): Promise<Stripe.PaymentIntent | null> {
	const intent = await retrievePaymentIntent(payments.stripe, paymentIntentIdOf(clientSecret));
	if (!intent || !sameText(intent.client_secret ?? "", clientSecret)) return null;
	return (await isOurs(payments, intent.id, intent.metadata["shop"])) ? intent : null;
}

/** Returns whether a payment is this shop's: its metadata has the shop's id, as `shop`, or D1 has its order, which was
 *  placed before SHOP_ID changed, or its refunds, which D1 stores without an order, too. */
export async function isOurs({ account, primary }: Payments, id: string, shop: string | undefined): Promise<boolean> {
	if (shop === account.shopId || (await findOrder(primary, id)) !== null) return true;
	return (await primary.$count(refunds, eq(refunds.paymentIntentId, id))) > 0;
}

/** Returns whether a payment can still be paid and is not being processed. */
export function isPayable({ status }: Stripe.PaymentIntent): boolean {
	return status === "requires_payment_method" || status === "requires_confirmation" || status === "requires_action";
}

/** Returns the latest charge of a payment that was just retrieved, or null if there is none. */
export function latestCharge({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
	return typeof charge === "object" ? charge : null;
}
