import type { PaymentIntentResult } from "@stripe/stripe-js";
import { confirmCardPayment } from "./confirm-card-payment.ts";
import { createPaymentMethod, createToken } from "./create-payment-method.ts";
import { IntegrationError } from "./integration-error.ts";
import { handleAction, retrieve } from "./next-action.ts";
import { StripeElements } from "./stripe-elements.ts";

/** The emulator's Stripe.js: defines window.Stripe with the subset of the real API that card payments use. */
function Stripe(key: string) {
	if (typeof key !== "string" || !key.startsWith("pk_test_")) {
		throw new IntegrationError("The Stripe emulator accepts only a publishable test key (pk_test_…).");
	}
	return {
		elements: () => new StripeElements(),
		confirmCardPayment: confirmCardPayment.bind(null, key),
		createPaymentMethod: createPaymentMethod.bind(null, key),
		createToken: createToken.bind(null, key),
		handleCardAction: (clientSecret: string) => handleAction("handleCardAction", key, clientSecret),
		handleNextAction: async ({ clientSecret }: { clientSecret: string }) =>
			handleAction("handleNextAction", key, clientSecret),
		retrievePaymentIntent: async (clientSecret: string): Promise<PaymentIntentResult> => {
			const { done, error } = await retrieve(key, clientSecret);
			return error ? { error } : { paymentIntent: done };
		},
		registerAppInfo: () => undefined,
		_registerWrapper: () => undefined,
	};
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version: "endive" }) });
