import type Stripe from "stripe";
import { authenticationIn, redirectUrl } from "../objects/authentication.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import { chargeCard, failAuthentication } from "./charge-card.ts";
import {
	type ApiError,
	invalidRequest,
	missingParameter,
	noSuch,
	unexpectedSetupState,
	unexpectedState,
} from "./errors.ts";
import { findIntent } from "./payment-intents.ts";
import type { Call, Route } from "./routes.ts";
import { failSetupAuthentication, finishSetup } from "./set-up-card.ts";
import { findSetupIntent } from "./setup-intents.ts";

const path = /^\/v1\/three_d_secure\/(\w+)$/;

/** The issuing bank's endpoints, which the 3-D Secure frame calls. */
export const authenticationRoutes: readonly Route[] = [
	{
		name: "three_d_secure.retrieve",
		method: "GET",
		path,
		browsers: "with_client_secret",
		returns: null,
		prepare: retrieve,
	},
	{
		name: "three_d_secure.answer",
		method: "POST",
		path,
		browsers: "with_client_secret",
		returns: null,
		prepare: complete,
	},
];

function retrieve(call: Call) {
	call.params.only();
	return () => {
		const { authentication, challenge, intent } = find(call);
		return { ...challenge, redirect_url: redirectUrl(authentication, intent) };
	};
}

/** Ends a challenge with the cardholder's `outcome`; `abandon` counts as a failure. The intent's new status shows the
 *  result. */
function complete(call: Call) {
	call.params.only("outcome");
	const outcome = call.params.choice("outcome", ["complete", "fail", "abandon"]);
	if (outcome === undefined) throw missingParameter("outcome");
	return () => {
		const { authentication, intent, method, challenge } = find(call);
		if (authenticationIn(intent.next_action) !== authentication.id) throw isOver(intent);
		const status = outcome === "complete" ? "completed" : "failed";
		call.store.save("authentication", authentication.id, { ...authentication, status });
		if (intent.object === "setup_intent") endSetup(call, intent, method, status);
		else endPayment(call, intent, method, status);
		return { ...challenge, status };
	};
}

function isOver(intent: Stripe.PaymentIntent | Stripe.SetupIntent): ApiError {
	if (intent.object === "payment_intent") {
		return unexpectedState("This authentication is over: its PaymentIntent no longer requires it.", intent);
	}
	return unexpectedSetupState("This authentication is over: its SetupIntent no longer requires it.", intent);
}

type Status = "completed" | "failed";

function endPayment(call: Call, intent: Stripe.PaymentIntent, method: KeptPaymentMethod, status: Status): void {
	call.confirming(intent);
	if (status === "completed") chargeCard(call, intent, method, { isAuthenticated: true });
	else failAuthentication(call, intent, method);
}

function endSetup(call: Call, intent: Stripe.SetupIntent, method: KeptPaymentMethod, status: Status): void {
	if (status === "completed") finishSetup(call, intent, method);
	else failSetupAuthentication(call, intent, method);
}

/** Returns the authentication with its intent and payment method, and the `challenge` that the frame displays. The
 *  amount and currency of a setup are null. */
function find(call: Call) {
	const authentication = call.store.find("authentication", call.id);
	if (!authentication) throw noSuch("authentication", call.id, "source");
	const of = { ...call, id: authentication.intent };
	const intent = authentication.intent.startsWith("seti_") ? findSetupIntent(of) : findIntent(of);
	const method = call.store.find("payment_method", authentication.payment_method);
	if (!method?.paymentMethod.card) throw invalidRequest("This authentication has no card.");
	const { brand, last4 } = method.paymentMethod.card;
	const { id, return_url = null, status } = authentication;
	const { amount, currency } = intent.object === "payment_intent" ? intent : { amount: null, currency: null };
	return {
		authentication,
		intent,
		method,
		challenge: { id, object: "three_d_secure", amount, brand, currency, last4, return_url, status },
	};
}
