import type { StripeElementLocale, StripeElementsOptions } from "@stripe/stripe-js";
import { confirmCard } from "./confirm-card.ts";
import { confirmElements } from "./confirm-elements.ts";
import { createPaymentMethod, createToken } from "./create-payment-method.ts";
import { IntegrationError } from "./integration-error.ts";
import { handleAction, intentResult, retrieve } from "./intents.ts";
import { paymentRequest } from "./payment-request.ts";
import { StripeElements } from "./stripe-elements.ts";

/** The emulator's Stripe.js: defines window.Stripe with the subset of the real API that card payments use. */
function Stripe(key: string, { locale, stripeAccount }: { locale?: StripeElementLocale; stripeAccount?: string } = {}) {
	if (typeof key !== "string" || !key.startsWith("pk_test_")) {
		throw new IntegrationError("The Stripe emulator accepts only a publishable test key (pk_test_…).");
	}
	if (stripeAccount !== undefined) {
		throw new IntegrationError("The Stripe emulator does not support connected accounts. Leave out stripeAccount.");
	}
	const unsupported = (call: string, instead: string) => async () => {
		throw new IntegrationError(`The Stripe emulator does not support ${call}. Use ${instead} instead.`);
	};
	return {
		elements: (options: StripeElementsOptions = {}) =>
			new StripeElements(key, { ...(locale && { locale }), ...options }),
		confirmCardPayment: confirmCard.bind(null, "payment", key),
		confirmCardSetup: confirmCard.bind(null, "setup", key),
		confirmPayment: confirmElements.bind(null, "payment", key),
		confirmSetup: confirmElements.bind(null, "setup", key),
		createConfirmationToken: unsupported("createConfirmationToken", "createPaymentMethod"),
		createPaymentMethod: createPaymentMethod.bind(null, key),
		createToken: createToken.bind(null, key),
		handleCardAction: (clientSecret: string) => handleAction("handleCardAction", key, clientSecret),
		handleNextAction: async ({ clientSecret }: { clientSecret: string }) =>
			handleAction("handleNextAction", key, clientSecret),
		paymentRequest,
		retrievePaymentIntent: async (clientSecret: string) => intentResult(await retrieve(key, clientSecret, "payment")),
		retrieveSetupIntent: async (clientSecret: string) => intentResult(await retrieve(key, clientSecret, "setup")),
		registerAppInfo: () => undefined,
		_registerWrapper: () => undefined,
	};
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version: "endive" }) });
