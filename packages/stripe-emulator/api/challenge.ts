import type Stripe from "stripe";
import { authenticationAction, newAuthentication } from "../objects/authentication.ts";
import { invalidRequest } from "./errors.ts";
import type { Ledger } from "./routes.ts";

/** Starts a 3-D Secure challenge. Returns the intent's next action: a redirect to the test bank's page if `redirectTo`
 *  is the URL at which the challenge ends, or a dialog of Stripe.js if it is null. */
export function startChallenge(
	ledger: Ledger,
	intent: Stripe.PaymentIntent | Stripe.SetupIntent,
	paymentMethodId: string,
	redirectTo: string | null,
) {
	const challenge = newAuthentication(intent.id, paymentMethodId, redirectTo);
	ledger.store.save("authentication", challenge.id, challenge);
	const query = { source: challenge.id, client_secret: intent.client_secret ?? "" };
	return authenticationAction(challenge, redirectTo === null ? null : ledger.bankPage(redirectTo, query));
}

/** Throws an ApiError if a server confirms an intent that allows redirects without saying where to return to. */
export function requireReturnUrl(
	{ automatic_payment_methods: automatic, object }: Stripe.PaymentIntent | Stripe.SetupIntent,
	canRedirect: boolean,
): void {
	if (canRedirect || !automatic?.enabled || automatic.allow_redirects === "never") return;
	const name = object === "payment_intent" ? "PaymentIntent" : "SetupIntent";
	throw invalidRequest(
		`This ${name} accepts payment methods that may redirect the customer, so its confirmation requires a return_url. To accept only payment methods without redirects, create it with automatic_payment_methods[enabled] set to true and automatic_payment_methods[allow_redirects] set to never, or with allowed_payment_method_types.`,
		{ param: "return_url" },
	);
}
