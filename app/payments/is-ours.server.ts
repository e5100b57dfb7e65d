import type Stripe from "stripe";
import { findOrder } from "#app/orders/find-order.server.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import { sameText } from "./shop-signature.server.ts";
import { type Payments, retrievePaymentIntent } from "./stripe-api.server.ts";

/** Returns whether a payment is this shop's: its metadata has the shop's id, or D1 has its order, which was placed before
 *  SHOP_ID changed. */
export async function isOurs({ account, primary }: Payments, { id, metadata }: Stripe.PaymentIntent): Promise<boolean> {
	return metadata["shop"] === account.shopId || (await findOrder(primary, id)) !== null;
}

/** Returns the PaymentIntent with this client secret, or null if this shop has none. The secret authenticates the
 *  payer. */
export async function findPaymentIntent(
	payments: Payments,
	clientSecret: string,
): Promise<Stripe.PaymentIntent | null> {
	const intent = await retrievePaymentIntent(payments.stripe, paymentIntentIdOf(clientSecret));
	if (!intent || !sameText(intent.client_secret ?? "", clientSecret)) return null;
	return (await isOurs(payments, intent)) ? intent : null;
}
