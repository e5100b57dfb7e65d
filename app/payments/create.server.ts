import type Stripe from "stripe";
import { currency, minAmount } from "#app/brand.ts";
import type { Created } from "./api.server.ts";
import { cancelPayment, isPayable } from "./cancel.server.ts";
import { fulfill } from "./fulfill.server.ts";
import { findPaymentIntent, type Payments } from "./payments.server.ts";
import { sign } from "./shop-signature.server.ts";

/** The maximum amount that Stripe charges, in cents. */
const maxAmount = 99_999_999;

/** Returns the URL's `total` in cents, or null unless it occurs exactly once, in canonical decimal form, and is an
 *  amount that Stripe accepts. */
export function parseTotal(url: URL): number | null {
	const [total, ...others] = url.searchParams.getAll("total");
	if (total === undefined || others.length > 0 || !/^[1-9][0-9]*$/.test(total)) return null;
	return Number(total) >= minAmount && Number(total) <= maxAmount ? Number(total) : null;
}

/** Returns a PaymentIntent for `amount` cents. If the tab's previous intent has the same amount, in the shop's currency,
 *  reuses that intent; otherwise, cancels it before creating another, so that a tab never has two intents that can be
 *  charged. If the previous intent has been paid or is being processed, fulfills that payment and creates no intent. */
export async function createPayment(
	payments: Payments,
	amount: number,
	previousClientSecret: string | null,
): Promise<Created | "payment_in_progress"> {
	const previous = previousClientSecret === null ? null : await findPaymentIntent(payments, previousClientSecret);
	if (previous && previous.status !== "canceled") {
		const isSame = previous.amount === amount && previous.currency === currency;
		if (isPayable(previous) && isSame) return created(payments, previous);
		if (!isPayable(previous) || !(await cancelPayment(payments, previous.id))) {
			await fulfill(payments, previous.id);
			return "payment_in_progress";
		}
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
