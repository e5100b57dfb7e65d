import type Stripe from "stripe";
import { ApiError, authenticationError, declineError, unexpectedSetupState } from "../api/errors.ts";
import type { Decline } from "./cards.ts";
import { newId } from "./ids.ts";
import { updated, updatedMetadata } from "./update.ts";

/** SetupIntents and their state transitions. Each function returns a new object and mutates nothing. Times are in Unix
 *  seconds. */

/** The parameters of a new SetupIntent. */
export interface NewSetupIntent {
	allowedTypes: string[] | undefined;
	automatic: Stripe.SetupIntent.AutomaticPaymentMethods | null;
	usage: "off_session" | "on_session";
}

/** Fields that an update may change. Undefined keeps a field, null unsets it. */
export interface SetupDetails {
	customer: string | undefined;
	description: string | null | undefined;
	metadata: Map<string, string> | null | undefined;
}

const open = ["requires_payment_method", "requires_confirmation", "requires_action"];

/** Creates a SetupIntent in `requires_payment_method`. */
export function newSetupIntent(request: NewSetupIntent, now: number): Stripe.SetupIntent {
	const id = newId("seti_");
	return {
		id,
		object: "setup_intent",
		allowed_payment_method_types: request.allowedTypes ?? null,
		application: null,
		automatic_payment_methods: request.automatic,
		cancellation_reason: null,
		client_secret: newId(`${id}_secret_`, 25),
		created: now,
		customer: null,
		customer_account: null,
		description: null,
		excluded_payment_method_types: null,
		flow_directions: null,
		last_setup_error: null,
		latest_attempt: null,
		livemode: false,
		managed_payments: null,
		mandate: null,
		metadata: {},
		next_action: null,
		on_behalf_of: null,
		payment_method: null,
		payment_method_configuration_details: null,
		payment_method_options: {
			card: { mandate_options: null, network: null, request_three_d_secure: "automatic" },
		},
		payment_method_types: ["card"],
		single_use_mandate: null,
		status: "requires_payment_method",
		usage: request.usage,
	} satisfies Stripe.SetupIntent;
}

/** Returns the SetupIntent with updated details. */
export function withSetupDetails(intent: Stripe.SetupIntent, details: SetupDetails): Stripe.SetupIntent {
	return {
		...intent,
		customer: details.customer ?? intent.customer,
		description: updated(details.description, intent.description),
		metadata: updatedMetadata(details.metadata, intent.metadata),
	};
}

/** Throws setup_intent_unexpected_state if the SetupIntent has ended. `action` is confirm or update. */
export function requireOpen(intent: Stripe.SetupIntent, action: "confirm" | "update"): void {
	if (open.includes(intent.status)) return;
	const reason = intent.status === "succeeded" ? "has already succeeded" : "has been canceled";
	throw unexpectedSetupState(`You cannot ${action} this SetupIntent because it ${reason}.`, intent);
}

/** Returns the SetupIntent in `requires_confirmation`, with a PaymentMethod. */
export function withSetupMethod(intent: Stripe.SetupIntent, paymentMethodId: string): Stripe.SetupIntent {
	return { ...intent, next_action: null, payment_method: paymentMethodId, status: "requires_confirmation" };
}

/** Returns the SetupIntent in `requires_action`, with a 3-D Secure challenge as its next action. */
export function setupAwaitingAuthentication(
	intent: Stripe.SetupIntent,
	next_action: Stripe.SetupIntent.NextAction,
): Stripe.SetupIntent {
	return { ...intent, next_action, status: "requires_action" };
}

export function setupSucceeded(intent: Stripe.SetupIntent): Stripe.SetupIntent {
	return { ...intent, last_setup_error: null, next_action: null, status: "succeeded" };
}

/** Returns the SetupIntent, ready for another PaymentMethod, and the 402 error of the declined card. */
export function setupDeclined(
	intent: Stripe.SetupIntent,
	method: Stripe.PaymentMethod,
	decline: Decline,
): { intent: Stripe.SetupIntent; error: ApiError } {
	const { code, declineCode = code } = decline;
	const error = { ...declineError({ ...decline, declineCode }), payment_method: method };
	const reopened = setupReopened(intent, error);
	return { intent: reopened, error: new ApiError(402, { ...error, setup_intent: reopened }) };
}

/** Returns the SetupIntent after a failed or abandoned authentication, ready for another PaymentMethod. */
export function setupUnauthenticated(intent: Stripe.SetupIntent, method: Stripe.PaymentMethod): Stripe.SetupIntent {
	return setupReopened(intent, authenticationError("setup_intent", method));
}

function setupReopened(intent: Stripe.SetupIntent, error: Stripe.SetupIntent.LastSetupError): Stripe.SetupIntent {
	return {
		...intent,
		last_setup_error: error,
		next_action: null,
		payment_method: null,
		status: "requires_payment_method",
	};
}

/** Returns the canceled SetupIntent. Throws setup_intent_unexpected_state if it has ended. */
export function setupCanceled(
	intent: Stripe.SetupIntent,
	reason: Stripe.SetupIntent.CancellationReason | null,
): Stripe.SetupIntent {
	if (open.includes(intent.status)) {
		return { ...intent, cancellation_reason: reason, next_action: null, status: "canceled" };
	}
	const other = `it has a status of ${intent.status}. Only a SetupIntent with one of the following statuses may be canceled: ${open.join(", ")}`;
	const why = intent.status === "canceled" ? "it is already canceled" : other;
	throw unexpectedSetupState(`You cannot cancel this SetupIntent because ${why}.`, intent);
}

/** Creates the attempt to set up a PaymentMethod. Its status follows the SetupIntent's. */
export function newSetupAttempt(
	intent: Stripe.SetupIntent,
	{ id, card }: Stripe.PaymentMethod,
	now: number,
): Stripe.SetupAttempt {
	return {
		id: newId("setatt_"),
		object: "setup_attempt",
		application: null,
		created: now,
		customer: intent.customer,
		customer_account: null,
		flow_directions: null,
		livemode: false,
		on_behalf_of: null,
		payment_method: id,
		payment_method_details: {
			type: "card",
			card: {
				brand: card?.brand ?? null,
				checks: card?.checks ?? null,
				country: card?.country ?? null,
				exp_month: card?.exp_month ?? null,
				exp_year: card?.exp_year ?? null,
				funding: card?.funding ?? null,
				last4: card?.last4 ?? null,
				network: card?.brand ?? null,
				three_d_secure: null,
				wallet: null,
			},
		},
		setup_error: null,
		setup_intent: intent.id,
		status: "requires_confirmation",
		usage: intent.usage,
	};
}

/** Returns the attempt with the result of its SetupIntent. */
export function withResult(attempt: Stripe.SetupAttempt, intent: Stripe.SetupIntent): Stripe.SetupAttempt {
	if (intent.status === "canceled") return { ...attempt, status: "abandoned" };
	if (intent.status !== "requires_payment_method") return { ...attempt, status: intent.status };
	return { ...attempt, setup_error: intent.last_setup_error, status: "failed" };
}
