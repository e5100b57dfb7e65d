import type Stripe from "stripe";
import { authenticationAction, newAuthentication } from "../objects/authentication.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import type { Ledger } from "./routes.ts";

/** Stores a 3-D Secure challenge for an intent's card, and returns the intent's next action. `redirectTo` is the page
 *  after an authentication by redirect; null if Stripe.js authenticates. */
export function startChallenge(
	{ store, bankPage }: Ledger,
	{ id, client_secret }: Stripe.PaymentIntent | Stripe.SetupIntent,
	{ paymentMethod }: KeptPaymentMethod,
	redirectTo: string | null,
) {
	const challenge = newAuthentication(id, paymentMethod.id, redirectTo);
	store.save("authentication", challenge.id, challenge);
	const query = { source: challenge.id, client_secret: client_secret ?? "" };
	return authenticationAction(challenge, redirectTo === null ? null : bankPage(redirectTo, query));
}
