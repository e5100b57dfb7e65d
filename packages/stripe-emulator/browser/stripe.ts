import type { PaymentIntentResult } from "@stripe/stripe-js";
import { confirmCardPayment } from "./confirm-card.ts";
import { IntegrationError } from "./integration-error.ts";
import { retrieve } from "./next-action.ts";
import { StripeElements } from "./stripe-elements.ts";

/** The emulator's Stripe.js: defines window.Stripe with the subset of the real API that card payments use. */
function Stripe(key: string) {
	if (typeof key !== "string" || !key.startsWith("pk_test_")) {
		throw new IntegrationError("The Stripe emulator accepts only a publishable test key (pk_test_…).");
	}
	return {
		elements: (options: object = {}) => {
			const [option] = Object.keys(options);
			if (option === undefined) return new StripeElements();
			throw new IntegrationError(`The Stripe emulator does not support the option ${option} of elements().`);
		},
		confirmCardPayment: confirmCardPayment.bind(null, key),
		retrievePaymentIntent: async (clientSecret: string): Promise<PaymentIntentResult> => {
			const { done, error } = await retrieve(key, clientSecret);
			return error ? { error } : { paymentIntent: done };
		},
		// Stripe's React components require these methods, even if the page does not call them
		createPaymentMethod: unsupported("createPaymentMethod"),
		createToken: unsupported("createToken"),
		registerAppInfo: () => undefined,
		_registerWrapper: () => undefined,
	};
}

function unsupported(method: string) {
	return async (): Promise<never> => {
		throw new IntegrationError(`The Stripe emulator does not support ${method}. Use confirmCardPayment.`);
	};
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version: "endive" }) });
