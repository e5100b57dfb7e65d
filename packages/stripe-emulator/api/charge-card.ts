import type Stripe from "stripe";
import { newAuthentication } from "../objects/authentication.ts";
import { authenticationRequired } from "../objects/cards.ts";
import { newCharge } from "../objects/charge.ts";
import { awaitingAuthentication, declined, processing, succeeded, unauthenticated } from "../objects/payment-intent.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import type { ApiError } from "./errors.ts";
import type { ConfirmRequest } from "./payment-intent-parameters.ts";
import type { Ledger } from "./routes.ts";

/** What became of an attempt to pay. The error, if any, is what the call that made the attempt is answered. */
export interface Attempt {
	intent: Stripe.PaymentIntent;
	error?: ApiError;
}

/** Pays a ready intent with a card, or has its holder asked first where the bank wants that. */
export function payWithCard(
	ledger: Ledger,
	intent: Stripe.PaymentIntent,
	method: KeptPaymentMethod,
	{ offSession, errorOnRequiresAction }: ConfirmRequest["alone"],
): Attempt {
	const { authentication } = method.outcome;
	if (authentication === "never" || (authentication === "on_session" && offSession)) {
		return chargeCard(ledger, intent, method);
	}
	if (offSession || errorOnRequiresAction) {
		const refused = { ...method, outcome: { ...method.outcome, decline: authenticationRequired } };
		return chargeCard(ledger, intent, refused);
	}
	const challenge = newAuthentication(intent.id, method.paymentMethod.id);
	ledger.store.save("authentication", challenge.id, challenge);
	const waiting = awaitingAuthentication(intent, challenge.id);
	save(ledger, waiting);
	ledger.emit({ type: "payment_intent.requires_action", object: waiting });
	return { intent: waiting };
}

/** Takes the money. Whether the cardholder had to be asked is settled. */
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

/** Lets the charge of an intent that is processing come through. */
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

/** Closes an attempt whose cardholder did not authenticate. */
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
