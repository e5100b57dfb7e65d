import type Stripe from "stripe";
import { newId } from "./ids.ts";

/** A 3-D Secure challenge. Its shape is specific to the emulator, because Stripe documents the shape of its challenges
 *  as "subject to change". */
export interface Authentication {
	/** `src_…` */
	id: string;
	/** The id of the PaymentIntent or SetupIntent. */
	intent: string;
	payment_method: string;
	/** Where the test bank's page sends the customer afterwards; null if Stripe.js opens a dialog. */
	return_url: string | null;
	status: "pending" | "completed" | "failed";
}

export function newAuthentication(intentId: string, paymentMethodId: string, returnUrl: string | null): Authentication {
	return {
		id: newId("src_"),
		intent: intentId,
		payment_method: paymentMethodId,
		return_url: returnUrl,
		status: "pending",
	};
}

/** Returns the next action of an intent that has to be authenticated: Stripe.js opens a dialog, or the server redirects
 *  the customer to `url`, the test bank's page. */
export function authenticationAction({ id, return_url }: Authentication, url: string | null) {
	if (return_url !== null && url !== null) {
		return { type: "redirect_to_url", redirect_to_url: { return_url, url } } satisfies Stripe.PaymentIntent.NextAction;
	}
	return {
		type: "use_stripe_sdk",
		use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: "three-d-secure", source: id },
	} satisfies Stripe.PaymentIntent.NextAction;
}

/** Returns the id of the authentication that an intent's next action requires, if any. */
export function authenticationIn(
	action: Pick<Stripe.PaymentIntent.NextAction, "redirect_to_url" | "use_stripe_sdk"> | null,
): unknown {
	const url = action?.redirect_to_url?.url;
	return url ? new URL(url).searchParams.get("source") : action?.use_stripe_sdk?.["source"];
}

/** Returns the URL to which the test bank's page redirects at the end: `return_url` with the intent's id, client secret
 *  and result. Returns null for a dialog, and while the challenge is pending. */
export function redirectUrl(
	{ return_url, status }: Authentication,
	intent: { object: string; id: string; client_secret: string | null; status: string },
): string | null {
	if (!return_url || status === "pending") return null;
	const url = new URL(return_url);
	url.searchParams.set(intent.object, intent.id);
	url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret ?? "");
	const succeeded = ["processing", "requires_capture", "succeeded"].includes(intent.status);
	url.searchParams.set("redirect_status", succeeded ? "succeeded" : "failed");
	return url.href;
}

/** How a payment was authenticated, as its charge reports it. The challenge is passed if there was one. `flow` is null if
 *  the request for authentication failed. */
export function threeDSecureOf(flow: "challenge" | "frictionless" | null, brand: string | null) {
	const indicator = brand === "mastercard" ? "02" : "05";
	return {
		authentication_flow: flow,
		electronic_commerce_indicator: flow && indicator,
		exemption_indicator: null,
		result: flow ? "authenticated" : "processing_error",
		result_reason: null,
		transaction_id: newId("", 36),
		version: "2.2.0",
	} satisfies Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure;
}
