import type Stripe from "stripe";
import { currency } from "#app/brand.ts";
import { maxAmount, minAmount } from "#drizzle/limits.ts";
import { cancelPayment } from "./cancel.server.ts";
import { fulfillIntent } from "./fulfill.server.ts";
import { findPaymentIntent, isPayable } from "./payment-intents.server.ts";
import type { Created } from "./shop-api.server.ts";
import { sign } from "./shop-signature.server.ts";
import type { Payments } from "./stripe-api.server.ts";

/** Returns the URL's `total` in cents, or null unless it occurs exactly once, in canonical decimal form, and is an
 *  amount that an order can have. */
export function parseTotal(url: URL): number | null {
	const [total, ...others] = url.searchParams.getAll("total");
	if (total === undefined || others.length > 0 || !/^[1-9][0-9]*$/.test(total)) return null;
	return Number(total) >= minAmount && Number(total) <= maxAmount ? Number(total) : null;
}

/** Returns a PaymentIntent for `amount` cents: the tab's previous one, or a new one after canceling the previous one, so
 *  that a tab never has two that can be charged. If the previous one has been paid or is being processed, fulfills it. */
export async function createPayment(
	payments: Payments,
	amount: number,
	previousClientSecret: string | null,
	mayReuse = true,
): Promise<Created | "payment_in_progress"> {
	const previous = previousClientSecret === null ? null : await findPaymentIntent(payments, previousClientSecret);
	if (previous && previous.status !== "canceled") {
		const isSame = previous.amount === amount && previous.currency === currency;
		if (mayReuse && isSame && isPayable(previous)) return created(payments, previous);
		const end = isPayable(previous) ? cancelPayment(payments, previous.id) : fulfillIntent(payments, previous);
		if ((await end) !== "canceled") return "payment_in_progress";
	}
	const intent = await payments.stripe.paymentIntents.create({
		amount,
		currency,
		allowed_payment_method_types: ["card"],
		metadata: { shop: payments.account.shopId },
	});
	return created(payments, intent);
}

function created({ account }: Payments, intent: Stripe.PaymentIntent): Created {
	const clientSecret = intent.client_secret;
	if (!clientSecret)
		throw new Error("Stripe returned a PaymentIntent without a client_secret; is the key a secret key?");
	return { clientSecret, signature: sign(account, clientSecret, intent) };
}
