import type Stripe from "stripe";
import { declineWhenAttached, requiresChallenge } from "../objects/cards.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import {
	newSetupAttempt,
	setupAwaitingAuthentication,
	setupDeclined,
	setupSucceeded,
	setupUnauthenticated,
	withResult,
} from "../objects/setup-intent.ts";
import { markUsed, setUp } from "./attachments.ts";
import { startChallenge } from "./challenge.ts";
import type { ApiError } from "./errors.ts";
import type { Ledger } from "./routes.ts";

/** Sets up the card for future payments, or starts 3-D Secure authentication first if the card requires it. Returns the
 *  SetupIntent. Throws the card's 402 ApiError after recording the decline. */
export function setUpCard(
	ledger: Ledger,
	ready: Stripe.SetupIntent,
	method: KeptPaymentMethod,
	redirectTo: string | null,
): Stripe.SetupIntent {
	const used = markUsed(ledger, method, ready, ready.usage);
	const attempt = newSetupAttempt(ready, method.paymentMethod, ledger.now);
	ledger.store.save("setup_attempt", attempt.id, attempt);
	const intent = { ...ready, latest_attempt: attempt.id };
	if (!requiresChallenge(used.outcome, { offSession: false })) {
		const { intent: done, error } = finishSetup(ledger, intent, used);
		if (error) throw error;
		return done;
	}
	const action = startChallenge(ledger, intent, used.paymentMethod.id, redirectTo);
	const waiting = saveSetup(ledger, setupAwaitingAuthentication(intent, action));
	ledger.emit({ type: "setup_intent.requires_action", data: { object: waiting } });
	return waiting;
}

/** Sets up the card. Authentication, if required, is already done. Returns the SetupIntent and, if the card is
 *  declined, the 402 ApiError. */
export function finishSetup(
	ledger: Ledger,
	intent: Stripe.SetupIntent,
	{ outcome, paymentMethod }: KeptPaymentMethod,
): { intent: Stripe.SetupIntent; error?: ApiError } {
	const decline = paymentMethod.customer === null ? declineWhenAttached(outcome) : null;
	if (decline) {
		const failed = setupDeclined(intent, paymentMethod, decline);
		saveSetup(ledger, failed.intent);
		ledger.emit({ type: "setup_intent.setup_failed", data: { object: failed.intent } });
		return failed;
	}
	const done = saveSetup(ledger, setupSucceeded(intent));
	setUp(ledger, done, done.usage);
	ledger.emit({ type: "setup_intent.succeeded", data: { object: done } });
	return { intent: done };
}

/** Fails a setup whose cardholder did not authenticate. */
export function failSetupAuthentication(
	ledger: Ledger,
	intent: Stripe.SetupIntent,
	{ paymentMethod }: KeptPaymentMethod,
): void {
	const failed = saveSetup(ledger, setupUnauthenticated(intent, paymentMethod));
	ledger.emit({ type: "setup_intent.setup_failed", data: { object: failed } });
}

/** Saves and returns a SetupIntent, and records its result in its latest attempt. */
export function saveSetup({ store }: Ledger, intent: Stripe.SetupIntent): Stripe.SetupIntent {
	store.save("setup_intent", intent.id, intent);
	const attempt = store.find("setup_attempt", typeof intent.latest_attempt === "string" ? intent.latest_attempt : "");
	if (attempt) store.save("setup_attempt", attempt.id, withResult(attempt, intent));
	return intent;
}
