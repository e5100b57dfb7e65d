import type Stripe from "stripe";
import type { ApiError } from "../errors.ts";
import { newAuthentication } from "../objects/authentication.ts";
import { newCharge } from "../objects/charge.ts";
import { awaitingAuthentication, declined, processing, succeeded, unauthenticated } from "../objects/payment-intent.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import type { Ledger } from "./routes.ts";

/** The result of a payment attempt. `error`, if any, is the API response to the call. */
interface Attempt {
	intent: Stripe.PaymentIntent;
	error?: ApiError;
}

/** Charges the card, or starts 3-D Secure authentication first if the card requires it. */
export function payWithCard(ledger: Ledger, intent: Stripe.PaymentIntent, method: KeptPaymentMethod): Attempt {
	if (!method.outcome.authentication) return chargeCard(ledger, intent, method);
	const challenge = newAuthentication(intent.id, method.paymentMethod.id, ledger.now);
	ledger.store.save("authentication", challenge.id, challenge);
	const waiting = awaitingAuthentication(intent, challenge.id);
	save(ledger, waiting);
	ledger.emit({ type: "payment_intent.requires_action", object: waiting });
	return { intent: waiting };
}

/** Charges the card. Authentication, if required, is already done. */
export function chargeCard(ledger: Ledger, intent: Stripe.PaymentIntent, method: KeptPaymentMethod): Attempt {
	const { store, emit, now, processingTime } = ledger;
	const charge = newCharge(intent, method, now);
	if (method.outcome.decline) {
		store.save("charge", charge.id, charge);
		const attempt = declined(intent, charge, method.paymentMethod, method.outcome.decline);
		save(ledger, attempt.intent);
		emit({ type: "charge.failed", object: charge });
		emit({ type: "payment_intent.payment_failed", object: attempt.intent });
		return attempt;
	}
	if (processingTime === 0) return { intent: complete(ledger, intent, charge) };
	store.save("charge", charge.id, { ...charge, amount_captured: 0, captured: false, paid: false, status: "pending" });
	const waiting = processing(intent, charge);
	save(ledger, waiting);
	emit({ type: "payment_intent.processing", object: waiting });
	ledger.remember(now + processingTime, "payment_intent", intent.id);
	return { intent: waiting };
}

/** Completes the charge of an intent in `processing`. */
export function finishProcessing(ledger: Ledger, id: string): void {
	const intent = ledger.store.find("payment_intent", id);
	const charge = ledger.store.find("charge", typeof intent?.latest_charge === "string" ? intent.latest_charge : "");
	if (intent?.status !== "processing" || !charge) return;
	complete(ledger, intent, {
		...charge,
		amount_captured: charge.amount,
		captured: true,
		paid: true,
		status: "succeeded",
	});
}

/** Fails an attempt whose cardholder did not authenticate. */
export function failAuthentication(ledger: Ledger, intent: Stripe.PaymentIntent, method: KeptPaymentMethod): void {
	const open = unauthenticated(intent, method.paymentMethod);
	save(ledger, open);
	ledger.emit({ type: "payment_intent.payment_failed", object: open });
}

function complete(ledger: Ledger, intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
	ledger.store.save("charge", charge.id, charge);
	const paid = succeeded(intent, charge);
	save(ledger, paid);
	ledger.emit({ type: "charge.succeeded", object: charge });
	ledger.emit({ type: "payment_intent.succeeded", object: paid });
	return paid;
}

function save({ store }: Ledger, intent: Stripe.PaymentIntent): void {
	store.save("payment_intent", intent.id, intent);
}
