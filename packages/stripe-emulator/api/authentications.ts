import { invalidRequest, missingParameter, unexpectedState } from "../errors.ts";
import { chargeCard, failAuthentication } from "./charge-card.ts";
import { getIntent } from "./payment-intents.ts";
import type { Call, Route } from "./routes.ts";

/** The issuing bank's endpoints, which the 3-D Secure frame calls. */
export const authenticationRoutes: readonly Route[] = [
	{ name: "three_d_secure.retrieve", browsers: true, prepare: retrieve },
	{ name: "three_d_secure.answer", browsers: true, prepare: answer },
];

function retrieve(call: Call) {
	call.params.only();
	return () => find(call).challenge;
}

/** Ends a challenge with the cardholder's `outcome`; `abandon` counts as a failure. The intent's new status shows the
 *  result. */
function answer(call: Call) {
	call.params.only("outcome");
	const outcome = call.params.choice("outcome", ["complete", "fail", "abandon"]);
	if (outcome === undefined) throw missingParameter("outcome");
	return () => {
		const { authentication, intent, method, challenge } = find(call);
		const { type, use_stripe_sdk: action } = intent.next_action ?? {};
		if (type !== "use_stripe_sdk" || action?.["source"] !== authentication.id) {
			throw unexpectedState("This authentication has ended: its PaymentIntent no longer requires it.", intent);
		}
		call.confirming(intent);
		const status = outcome === "complete" ? "completed" : "failed";
		call.store.save("authentication", authentication.id, { ...authentication, status });
		if (outcome === "complete") chargeCard(call, intent, method);
		else failAuthentication(call, intent, method);
		return { ...challenge, status };
	};
}

/** Returns the authentication with its intent and payment method, and the `challenge` that the frame displays. */
function find(call: Call) {
	const authentication = call.store.get("authentication", call.id, "source");
	const intent = getIntent({ ...call, id: authentication.payment_intent });
	const method = call.store.find("payment_method", authentication.payment_method);
	if (!method?.paymentMethod.card) throw invalidRequest("This authentication has no card.");
	const { brand, last4 } = method.paymentMethod.card;
	const { id, status } = authentication;
	const { amount, currency } = intent;
	return {
		authentication,
		intent,
		method,
		challenge: { id, object: "three_d_secure", amount, brand, currency, last4, status },
	};
}
