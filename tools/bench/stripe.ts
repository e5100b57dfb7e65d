import type Stripe from "stripe";
import { newPaymentIntent } from "stripe-emulator/objects/new-payment-intent.ts";
import { currency } from "../../app/brand.ts";

const secrets = {
	STRIPE_SECRET_KEY: "sk_test_bench",
	STRIPE_PUBLISHABLE_KEY: "pk_test_bench",
	STRIPE_WEBHOOK_SECRET: "whsec_bench",
};

/** Returns the part of Stripe's API that fulfill uses. It runs in this process, because the emulator would run in the
 *  shop's thread and distort the measurement. `pay` creates a succeeded payment of `amount` cents. */
export function createStripe(shopId: string) {
	const intents = new Map<string, Stripe.PaymentIntent>();
	return {
		secrets,
		async outbound({ url }: { url: string }): Promise<Response> {
			const intent = intents.get(new URL(url).pathname);
			if (intent) return Response.json(intent);
			return Response.json({ error: { code: "resource_missing", type: "invalid_request_error" } }, { status: 404 });
		},
		pay(amount: number, now: number): Stripe.PaymentIntent {
			const intent: Stripe.PaymentIntent = {
				...newPaymentIntent({ amount, currency, automatic: null, allowedTypes: ["card"] }, now),
				amount_received: amount,
				status: "succeeded",
				metadata: { shop: shopId },
			};
			intents.set(`/v1/payment_intents/${intent.id}`, intent);
			return intent;
		},
	};
}
