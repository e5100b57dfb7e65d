import type Stripe from "stripe";
import { newId } from "./ids.ts";

/** The parameters of a new intent. `amount` is in cents. */
export interface NewIntent {
	amount: number;
	currency: string;
	allowedTypes: string[] | undefined;
	automatic: Stripe.PaymentIntent.AutomaticPaymentMethods | null;
}

/** Creates an intent in `requires_payment_method`. `now` is in Unix seconds. */
export function newPaymentIntent(request: NewIntent, now: number): Stripe.PaymentIntent {
	const id = newId("pi_");
	return {
		id,
		object: "payment_intent",
		allowed_payment_method_types: request.allowedTypes ?? null,
		amount: request.amount,
		amount_capturable: 0,
		amount_received: 0,
		application: null,
		application_fee_amount: null,
		automatic_payment_methods: request.automatic,
		canceled_at: null,
		cancellation_reason: null,
		capture_method: "automatic_async",
		client_secret: newId(`${id}_secret_`, 25),
		confirmation_method: "automatic",
		created: now,
		currency: request.currency,
		customer: null,
		customer_account: null,
		description: null,
		excluded_payment_method_types: null,
		last_payment_error: null,
		latest_charge: null,
		livemode: false,
		managed_payments: null,
		metadata: {},
		next_action: null,
		on_behalf_of: null,
		payment_method: null,
		payment_method_configuration_details: null,
		payment_method_options: {},
		payment_method_types: ["card"],
		payment_record: null,
		processing: null,
		receipt_email: null,
		review: null,
		setup_future_usage: null,
		shipping: null,
		source: null,
		statement_descriptor: null,
		statement_descriptor_suffix: null,
		status: "requires_payment_method",
		transfer_group: null,
	} satisfies Stripe.PaymentIntent;
}
