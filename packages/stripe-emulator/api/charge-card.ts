import type Stripe from "stripe";
import { authenticationRequired, requiresChallenge } from "../objects/cards.ts";
import { captured, newCharge, settled } from "../objects/charge.ts";
import {
	authorized,
	awaitingAuthentication,
	canceled,
	declined,
	processing,
	requestsThreeDSecure,
	succeeded,
	unauthenticated,
} from "../objects/payment-intent.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import { setUp } from "./attachments.ts";
import { recordCharge } from "./balance-transactions.ts";
import { startChallenge } from "./challenge.ts";
import { disputeTestCard } from "./disputes.ts";
import type { ApiError } from "./errors.ts";
import type { ConfirmRequest } from "./payment-intent-parameters.ts";
import { keepChecks } from "./payment-methods.ts";
import type { Ledger } from "./routes.ts";

/** The result of a payment attempt. `error`, if any, is the API response to the call. */
export interface Attempt {
	intent: Stripe.PaymentIntent;
	error?: ApiError;
}

/** Charges the card, or starts 3-D Secure authentication first if the card requires it. */
export function payWithCard(
	ledger: Ledger,
	intent: Stripe.PaymentIntent,
	method: KeptPaymentMethod,
	{ offSession, errorOnRequiresAction, redirectTo }: ConfirmRequest["options"],
): Attempt {
	const context = { offSession, isRequested: requestsThreeDSecure(intent), isSetUp: method.isSetUp };
	if (!requiresChallenge(method.outcome, context)) return chargeCard(ledger, intent, method);
	if (offSession || errorOnRequiresAction) {
		const unauthenticatedMethod = { ...method, outcome: { ...method.outcome, decline: authenticationRequired } };
		return chargeCard(ledger, intent, unauthenticatedMethod);
	}
	const action = startChallenge(ledger, intent, method.paymentMethod.id, redirectTo);
	const waiting = awaitingAuthentication(intent, action);
	save(ledger, waiting);
	ledger.emit({ type: "payment_intent.requires_action", data: { object: waiting } });
	return { intent: waiting };
}

/** Charges the card. A challenge, if one was required, has been passed: `isAuthenticated`. */
export function chargeCard(
	ledger: Ledger,
	intent: Stripe.PaymentIntent,
	method: KeptPaymentMethod,
	{ isAuthenticated = false } = {},
): Attempt {
	const { store, emit, now, processingTime } = ledger;
	const charge = newCharge(intent, method, { isAuthenticated, now });
	if (method.outcome.decline) {
		store.save("charge", charge.id, charge);
		const attempt = declined(intent, charge, method.paymentMethod, method.outcome.decline);
		save(ledger, attempt.intent);
		emit({ type: "charge.failed", data: { object: charge } });
		emit({ type: "payment_intent.payment_failed", data: { object: attempt.intent } });
		return attempt;
	}
	if (processingTime === 0) return { intent: complete(ledger, intent, charge) };
	store.save("charge", charge.id, { ...charge, amount_captured: 0, captured: false, paid: false, status: "pending" });
	const waiting = processing(intent, charge);
	save(ledger, waiting);
	emit({ type: "payment_intent.processing", data: { object: waiting } });
	ledger.remember(now + processingTime, "payment_intent", intent.id);
	return { intent: waiting };
}

/** Completes the charge of an intent in `processing`, or cancels an intent whose authorization has expired. */
export function reconsiderPayment(ledger: Ledger, id: string): void {
	const intent = ledger.store.find("payment_intent", id);
	const charge = intent && chargeOf(ledger, intent);
	if (!charge) return;
	const { capture_before } = charge.payment_method_details?.card ?? {};
	if (intent.status === "requires_capture" && Number(capture_before) <= ledger.now) expire(ledger, intent, charge);
	if (intent.status !== "processing") return;
	const paid: Stripe.Charge = { ...charge, paid: true, status: "succeeded" };
	complete(ledger, intent, intent.capture_method === "manual" ? paid : captured(paid, charge.amount));
}

/** Captures `amount` minor units of an authorized charge, or all of it. The rest is released. */
export function captureCharge(ledger: Ledger, intent: Stripe.PaymentIntent, amount = intent.amount_capturable) {
	const charge = chargeOf(ledger, intent);
	if (!charge) throw new Error(`The charge of ${intent.id} is missing.`);
	const taken = captured(charge, amount);
	const withReceipt = settled(taken, recordCharge(ledger, taken), ledger.receiptUrl(taken.id));
	ledger.store.save("charge", charge.id, withReceipt);
	const paid = succeeded(intent, withReceipt);
	save(ledger, paid);
	ledger.emit({ type: "charge.captured", data: { object: withReceipt } });
	ledger.emit({ type: "payment_intent.succeeded", data: { object: paid } });
	disputeTestCard(ledger, withReceipt);
	return paid;
}

/** Cancels an intent whose authorization has expired. */
function expire(ledger: Ledger, intent: Stripe.PaymentIntent, charge: Stripe.Charge): void {
	const expired = canceled(intent, "expired", ledger.now);
	save(ledger, expired);
	ledger.emit({ type: "charge.expired", data: { object: charge } });
	ledger.emit({ type: "payment_intent.canceled", data: { object: expired } });
}

/** Fails an attempt whose cardholder did not authenticate. */
export function failAuthentication(ledger: Ledger, intent: Stripe.PaymentIntent, method: KeptPaymentMethod): void {
	const open = unauthenticated(intent, method.paymentMethod);
	save(ledger, open);
	ledger.emit({ type: "payment_intent.payment_failed", data: { object: open } });
}

function chargeOf({ store }: Ledger, { latest_charge }: Stripe.PaymentIntent): Stripe.Charge | undefined {
	return typeof latest_charge === "string" ? store.find("charge", latest_charge) : undefined;
}

/** Holds the amount of an authorized charge until it is captured, canceled or expired. */
function authorize(ledger: Ledger, intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
	const { store, emit, now } = ledger;
	const { card } = charge.payment_method_details ?? {};
	store.save("charge", charge.id, charge);
	const waiting = authorized(intent, charge);
	save(ledger, waiting);
	ledger.remember(card?.capture_before ?? now, "payment_intent", intent.id);
	emit({ type: "charge.succeeded", data: { object: charge } });
	emit({ type: "payment_intent.amount_capturable_updated", data: { object: waiting } });
	return waiting;
}

/** Completes a payment, or only authorizes it if it is captured manually. With asynchronous capture, the balance
 *  transaction follows in charge.updated. */
function complete(ledger: Ledger, intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
	keepChecks(ledger, charge);
	setUp(ledger, intent, intent.setup_future_usage);
	if (intent.capture_method === "manual") return authorize(ledger, intent, charge);
	const { store, emit } = ledger;
	const withReceipt = settled(charge, recordCharge(ledger, charge), ledger.receiptUrl(charge.id));
	const isAsync = intent.capture_method === "automatic_async";
	store.save("charge", charge.id, withReceipt);
	const paid = succeeded(intent, charge);
	save(ledger, paid);
	emit({ type: "charge.succeeded", data: { object: isAsync ? charge : withReceipt } });
	emit({ type: "payment_intent.succeeded", data: { object: paid } });
	if (isAsync) {
		const previous_attributes = { balance_transaction: null, receipt_url: null };
		emit({ type: "charge.updated", data: { object: withReceipt, previous_attributes } });
	}
	disputeTestCard(ledger, withReceipt);
	return paid;
}

function save({ store }: Ledger, intent: Stripe.PaymentIntent): void {
	store.save("payment_intent", intent.id, intent);
}
