import type { ConfirmCardPaymentData, StripeCardElement } from "@stripe/stripe-js";
import type { Customer } from "#app/auth/customer.server.ts";
import { placeOrder, type Settled, settlePayment } from "./payment-api.ts";

interface Purchase {
	stripe: { confirmCardPayment(clientSecret: string, data: ConfirmCardPaymentData): Promise<Confirmation> };
	card: StripeCardElement;
	clientSecret: string;
	productIds: string[];
	customer: Customer | null;
}

/** As much of Stripe.js's answer as matters here. */
export interface Confirmation {
	error?: { type: string; message?: string; payment_intent?: { status: string } };
}

export type Bought =
	| Exclude<Settled, "not_paid">
	/** Nothing was charged; the shopper may try again. */
	| { problem: string }
	/** Nothing was charged: today's prices, in cents by product id, are others. */
	| { prices: Record<string, number> }
	/** Nothing was charged: the payment is no more, or the page greets somebody else than the session. */
	| { outdated: "intent" | "customer"; problem: string };

/** Places the order, confirms the card with Stripe and settles: one try of Buy Now. Card data goes from Stripe's frame
 *  to Stripe. An error that leaves open whether the card was charged is never reported as "not charged" unasked. */
export async function buy({ stripe, card, clientSecret, productIds, customer }: Purchase): Promise<Bought> {
	const placed = await placeOrder(clientSecret, productIds, customer?.id ?? null);
	if ("prices" in placed) return placed;
	if ("code" in placed && placed.code !== "already_paid") {
		if (placed.code === "payment_intent_gone") return { outdated: "intent", problem: placed.problem };
		if (placed.code === "identity_changed") return { outdated: "customer", problem: placed.problem };
		return { problem: placed.problem };
	}

	if ("placed" in placed) {
		const problem = await confirm({ stripe, card, clientSecret, customer });
		if (problem) return { problem };
	}
	const settled = await settlePayment(clientSecret);
	return settled === "not_paid" ? { problem: "The payment did not go through. Nothing was charged." } : settled;
}

/** Why the card was surely not charged, or null when it was or may have been. */
async function confirm({ stripe, card, clientSecret, customer }: Omit<Purchase, "productIds">): Promise<string | null> {
	try {
		const { error } = await stripe.confirmCardPayment(clientSecret, {
			payment_method: { card, billing_details: customer ? { email: customer.email } : {} },
		});
		const status = error?.payment_intent?.status;
		const mayBeCharged = status === "succeeded" || status === "processing" || error?.type.startsWith("api_");
		return error && !mayBeCharged ? (error.message ?? "Your card could not be charged.") : null;
	} catch (error) {
		// Stripe.js throws only for a mistake in how it is called, but settling finds out in any case
		console.error("The card could not be confirmed.", error);
		return null;
	}
}
