import type { ConfirmCardPaymentData, StripeCardElement } from "@stripe/stripe-js";
import type { Customer } from "#app/auth/customer.server.ts";
import { placeOrder, type Settled, settlePayment } from "./payment-api.ts";

interface Purchase {
	stripe: {
		confirmCardPayment(clientSecret: string, data: ConfirmCardPaymentData): Promise<Confirmation>;
		retrievePaymentIntent(clientSecret: string): Promise<{ paymentIntent?: { status: string } }>;
	};
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

/** Milliseconds for a confirmation, and a second more to ask why there is none. */
const patience = 8000;

/** Places the order, confirms the card with Stripe and settles: one try of Buy Now. Card data goes from Stripe's frame
 *  to Stripe. An error that leaves open whether the card was charged is never reported as "not charged" unasked. */
export async function buy({ stripe, card, clientSecret, productIds, customer }: Purchase): Promise<Bought> {
	const placed = await placeOrder(clientSecret, productIds, customer?.id ?? null);
	if ("prices" in placed) return placed;
	if ("code" in placed && placed.code !== "already_paid") {
		// one that Stripe has forgotten is gone as well: without another the shopper could only fail again
		const isGone = placed.code === "payment_intent_gone" || placed.code === "unknown_payment_intent";
		if (isGone) return { outdated: "intent", problem: placed.problem };
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
	const answered = new AbortController();
	try {
		const confirmation = stripe.confirmCardPayment(clientSecret, {
			payment_method: { card, billing_details: customer ? { email: customer.email } : {} },
		});
		const { error } = await Promise.race([confirmation, silence(stripe, clientSecret, answered.signal)]);
		const status = error?.payment_intent?.status;
		const mayBeCharged = status === "succeeded" || status === "processing" || error?.type.startsWith("api_");
		return error && !mayBeCharged ? (error.message ?? "Your card could not be charged.") : null;
	} catch (error) {
		// Stripe.js throws only for a mistake in how it is called, but settling finds out in any case
		console.error("The card could not be confirmed.", error);
		return null;
	} finally {
		answered.abort();
	}
}

/** Comes when the confirmation has not been answered for too long, so that the shop is asked instead; not while the
 *  bank is asking the shopper, who may take their time. */
async function silence(stripe: Purchase["stripe"], clientSecret: string, answered: AbortSignal): Promise<Confirmation> {
	for (;;) {
		await new Promise((resolve) => setTimeout(resolve, patience));
		if (answered.aborted) return {};
		const late = new Promise<{ paymentIntent?: { status: string } }>((resolve) => setTimeout(resolve, 1000, {}));
		const { paymentIntent } = await Promise.race([stripe.retrievePaymentIntent(clientSecret), late]);
		if (paymentIntent?.status !== "requires_action") return {};
	}
}
