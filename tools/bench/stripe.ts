import { createServer } from "node:http";
import type Stripe from "stripe";
import { newPaymentIntent } from "stripe-emulator/objects/new-payment-intent.ts";
import { listen } from "../../tests/support/listen.ts";

/** Returns the Worker's secrets for a Stripe API at `base`. */
const keysFor = (base: string) => ({
	STRIPE_SECRET_KEY: "sk_test_bench",
	STRIPE_PUBLISHABLE_KEY: "pk_test_bench",
	STRIPE_WEBHOOK_SECRET: "whsec_bench",
	STRIPE_API_BASE: base,
});

/** Starts a server for the part of Stripe's API that fulfill uses. It runs in this process, because the emulator would
 *  run in the shop's thread and distort the measurement. `pay` creates a succeeded payment of `amount` cents. */
export async function openStripe(shopId: string) {
	const intents = new Map<string, string>();
	const server = createServer((request, response) => {
		const intent = intents.get(request.url ?? "");
		response.setHeader("Content-Type", "application/json");
		response.statusCode = intent ? 200 : 404;
		response.end(intent ?? JSON.stringify({ error: { code: "resource_missing", type: "invalid_request_error" } }));
	});
	const port = await listen(server);
	return {
		secrets: keysFor(`http://127.0.0.1:${port}`),
		pay(amount: number, now: number): Stripe.PaymentIntent {
			const intent: Stripe.PaymentIntent = {
				...newPaymentIntent({ amount, currency: "usd", automatic: null, allowedTypes: ["card"] }, now),
				amount_received: amount,
				status: "succeeded",
				metadata: { shop: shopId },
			};
			intents.set(`/v1/payment_intents/${intent.id}`, JSON.stringify(intent));
			return intent;
		},
		close: () => server.close(),
	};
}
