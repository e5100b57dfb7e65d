import type { PaymentIntent, SetupIntent, StripeError } from "@stripe/stripe-js";
import { baseUrl } from "./base-url.ts";
import { IntegrationError } from "./integration-error.ts";
import type { Result } from "./messages.ts";
import { connectionError, get, intentPath } from "./payment-api.ts";
import { authenticate } from "./three-d-secure-dialog.ts";

export type Intent = PaymentIntent | SetupIntent;

/** What Stripe.js resolves to. */
export type IntentResult =
	| { paymentIntent: PaymentIntent; error?: undefined }
	| { setupIntent: SetupIntent; error?: undefined }
	| { error: StripeError };

/** Returns an API result as Stripe.js returns it, with the intent under its own name. */
export function intentResult({ done, error }: Result<Intent>): IntentResult {
	if (error) return { error };
	return done.object === "payment_intent" ? { paymentIntent: done } : { setupIntent: done };
}

/** Handles a confirmed intent's next action, if any, and resolves to the resulting intent or error. Never resolves if
 *  the action is a redirect. */
export async function takeNextAction(key: string, intent: Intent): Promise<Result<Intent>> {
	if (intent.status !== "requires_action") return { done: intent };
	const redirect = intent.next_action?.redirect_to_url?.url;
	if (redirect) return leaveFor(new URL(redirect));
	const { page, source } = threeDSecureOf(intent);
	const clientSecret = intent.client_secret ?? "";
	const loaded = await authenticate(page, { key, clientSecret, source });
	if (!loaded) return { error: withIntent(connectionError(), intent) };
	const { done: after, error } = await retrieve(key, clientSecret);
	if (error) return { error };
	const failure = after.object === "payment_intent" ? after.last_payment_error : after.last_setup_error;
	if (after.status === "requires_payment_method" && failure) return { error: withIntent(failure, after) };
	// the cardholder's choice never reached the bank
	if (after.status === "requires_action") return { error: withIntent(connectionError(), after) };
	return { done: after };
}

/** Handles the next action of an intent that a server confirmed. Rejects with an IntegrationError if it has none. */
export async function handleAction(caller: string, key: string, clientSecret: string): Promise<IntentResult> {
	const { done: intent, error } = await retrieve(key, clientSecret);
	if (error) return { error };
	if (intent.status === "requires_action") return intentResult(await takeNextAction(key, intent));
	const name = intent.object === "payment_intent" ? "PaymentIntent" : "SetupIntent";
	throw new IntegrationError(`${caller}: The ${name} supplied is not in the requires_action state.`);
}

/** Rejects with an IntegrationError if the value is not a client secret, or not one of a `kind` of intent. */
export async function retrieve(key: string, clientSecret: string, kind?: "payment" | "setup"): Promise<Result<Intent>> {
	return get(requireIntentPath(clientSecret, kind), { key, client_secret: clientSecret });
}

/** Returns the path of the intent with this client secret. Throws an IntegrationError if it has none. */
export function requireIntentPath(clientSecret: unknown, kind?: "payment" | "setup"): string {
	const path = typeof clientSecret === "string" ? intentPath(clientSecret) : null;
	if (path?.startsWith(kind ?? "")) return path;
	const shapes = { payment: "pi_…_secret_…", setup: "seti_…_secret_…" };
	throw new IntegrationError(
		`This value is not a client secret (${kind ? shapes[kind] : Object.values(shapes).join(" or ")}).`,
	);
}

/** Navigates the page, and returns a promise that never resolves: the caller's code must not run on. */
export function leaveFor(url: URL): Promise<never> {
	window.location.assign(url);
	return new Promise(() => {});
}

function withIntent(error: object, intent: Intent): StripeError {
	const plain: StripeError = { type: "api_error", ...error };
	return intent.object === "payment_intent" ? { ...plain, payment_intent: intent } : { ...plain, setup_intent: intent };
}

function threeDSecureOf({ next_action: action }: Intent): { page: string; source: string } {
	const sdk: Record<string, unknown> = { ...action?.use_stripe_sdk };
	const { type, stripe_js: page, source } = sdk;
	if (type === "three_d_secure_redirect" && typeof page === "string" && typeof source === "string") {
		return { page: new URL(page, baseUrl).href, source };
	}
	throw new IntegrationError(`The Stripe emulator cannot handle a next action of type ${action?.type}.`);
}
