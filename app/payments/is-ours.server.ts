import type Stripe from "stripe";
import { findOrder } from "#app/orders/find-order.server.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import { sameText } from "./shop-signature.server.ts";
import { type Payments, retrievePaymentIntent } from "./stripe-api.server.ts";

/** Returns whether a payment is this shop's: its metadata has the shop's id, or D1 has it, because it was placed before
 *  SHOP_ID changed. Calls `isKnown`, by default a search for its order, only if the metadata does not decide. */
export async function isOurs(
	{ account, primary }: Payments,
	{ id, shop }: { id: string; shop: string | undefined },
	isKnown: () => boolean | Promise<boolean> = async () => (await findOrder(primary, id)) !== null,
): Promise<boolean> {
	return shop === account.shopId || isKnown();
}

/** Returns the PaymentIntent with this client secret, or null if this shop has none. The secret authenticates the
 *  payer. */
export async function findPaymentIntent(
	payments: Payments,
	clientSecret: string,
): Promise<Stripe.PaymentIntent | null> {
	const intent = await retrievePaymentIntent(payments.stripe, paymentIntentIdOf(clientSecret));
	if (!intent || !sameText(intent.client_secret ?? "", clientSecret)) return null;
	return (await isOurs(payments, { id: intent.id, shop: intent.metadata["shop"] })) ? intent : null;
}
