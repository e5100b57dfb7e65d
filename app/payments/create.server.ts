import type Stripe from "stripe";
import { cancelPayment } from "./cancel.server.ts";
import type { Payments } from "./payments.server.ts";
import { settle } from "./settle.server.ts";
import { findPaymentIntent } from "./stripe.server.ts";

/** Smallest and largest amount that Stripe takes, in cents. */
const smallest = 50;

export type Created = { clientSecret: string } | "payment_in_progress";

/** Cents from the `total` of the URL, or null unless it is there once, in plain digits, and an amount Stripe takes. */
export function parseTotal(url: URL): number | null {
	const [total, ...others] = url.searchParams.getAll("total");
	if (total === undefined || others.length > 0 || !/^[1-9][0-9]{0,7}$/.test(total)) return null;
	return Number(total) >= smallest ? Number(total) : null;
}

/** Answers with a PaymentIntent of `amount` cents for a tab that may already have one. A tab never has two that can
 *  both be charged: the old one serves again, or is cancelled before the new one is made, or, when it has been or
 *  is being paid, is settled and no other is made. The amount of an intent never changes. */
export async function createPayment(
	payments: Payments,
	amount: number,
	previousClientSecret: string | null,
): Promise<Created> {
	const previous = previousClientSecret === null ? null : await findPaymentIntent(payments, previousClientSecret);
	if (previous && previous.status !== "canceled") {
		if (isPayable(previous) && previous.amount === amount && previous.client_secret) {
			return { clientSecret: previous.client_secret };
		}
		if (!isPayable(previous) || !(await cancelPayment(payments, previous.id))) {
			await settle(payments, previous.id);
			return "payment_in_progress";
		}
	}
	const intent = await payments.stripe.paymentIntents.create({
		amount,
		currency: "usd",
		allowed_payment_method_types: ["card"],
		metadata: { shop: payments.account.shopId },
	});
	if (!intent.client_secret)
		throw new Error("Stripe made a PaymentIntent without a client_secret; is the key a secret key?");
	return { clientSecret: intent.client_secret };
}

function isPayable({ status }: Stripe.PaymentIntent): boolean {
	return status === "requires_payment_method" || status === "requires_confirmation" || status === "requires_action";
}
