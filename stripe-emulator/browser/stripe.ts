import type {
	ConfirmCardPaymentData,
	ConfirmCardPaymentOptions,
	PaymentIntentResult,
	PaymentMethodCreateParams,
	StripeCardElementOptions,
} from "@stripe/stripe-js";
import { CardElement } from "./card-element.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Billing } from "./messages.ts";
import { getPaymentIntent, paymentIntentId, postConfirmation } from "./payment-api.ts";

/** The emulator's Stripe.js: defines window.Stripe with as much of the real one as a page with a card element uses. */
function Stripe(key: string) {
	if (typeof key !== "string" || !key.startsWith("pk_test_")) {
		throw new IntegrationError("The Stripe emulator takes a publishable test key (pk_test_…) and no other.");
	}
	return {
		elements,
		confirmCardPayment: (secret: string, data?: ConfirmCardPaymentData, _options?: ConfirmCardPaymentOptions) =>
			confirmCardPayment(key, secret, data),
		retrievePaymentIntent: async (secret: string) =>
			getPaymentIntent(requireId(secret), new URLSearchParams({ key, client_secret: secret })),
		createPaymentMethod: () => unsupported("createPaymentMethod"),
		createToken: () => unsupported("createToken"),
		handleCardAction: () => unsupported("handleCardAction"),
		handleNextAction: () => unsupported("handleNextAction"),
		registerAppInfo: () => undefined,
		_registerWrapper: () => undefined,
	};
}

type ElementType = string | { __elementType?: string };

function elements() {
	let card: CardElement | null = null;
	return {
		create(type: ElementType, options: StripeCardElementOptions = {}) {
			if (nameOf(type) !== "card") {
				throw new IntegrationError(`The Stripe emulator has the card Element and no ${nameOf(type)}.`);
			}
			if (card) throw new IntegrationError("Can only create one card Element at a time.");
			card = new CardElement(options, () => {
				card = null;
			});
			return card;
		},
		// The React component is as good as its name.
		getElement: (type: ElementType) => (nameOf(type) === "card" ? card : null),
		update: async () => undefined,
		submit: async () => ({}),
		fetchUpdates: async () => ({}),
	};
}

/** Resolves with what became of the payment, a declined card as `{ error }` included. Rejects with an IntegrationError
 *  when the call itself makes no sense. */
async function confirmCardPayment(
	key: string,
	clientSecret: string,
	data: ConfirmCardPaymentData = {},
): Promise<PaymentIntentResult> {
	const id = requireId(clientSecret);
	const method = data.payment_method;
	if (typeof method === "object") {
		if (!("card" in method && method.card instanceof CardElement)) {
			throw new IntegrationError("payment_method.card must be the card Element that this page has mounted.");
		}
		const billing = billingOf(method.billing_details);
		return method.card.confirm({ key, clientSecret, billing, returnUrl: data.return_url });
	}
	const form = new URLSearchParams({ key, client_secret: clientSecret, use_stripe_sdk: "true" });
	if (method) form.set("payment_method", method);
	if (data.return_url) form.set("return_url", data.return_url);
	return postConfirmation(id, form);
}

function billingOf(details: PaymentMethodCreateParams.BillingDetails = {}): Billing {
	const { email, name, phone } = details;
	return { ...(email && { email }), ...(name && { name }), ...(phone && { phone }) };
}

function requireId(clientSecret: string): string {
	const id = paymentIntentId(clientSecret);
	if (id) return id;
	throw new IntegrationError("A client secret looks like pi_…_secret_…; this value does not.");
}

function nameOf(type: ElementType): string {
	return typeof type === "string" ? type : (type.__elementType ?? "nameless component");
}

async function unsupported(name: string): Promise<never> {
	throw new IntegrationError(`The Stripe emulator has no ${name}.`);
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version: "endive" }) });
