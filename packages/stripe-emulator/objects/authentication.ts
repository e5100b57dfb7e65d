import { newId } from "./ids.ts";

/** A 3-D Secure challenge. Its shape is specific to the emulator, because Stripe documents the shape of its challenges
 *  as "subject to change". */
export interface Authentication {
	/** `src_…` */
	id: string;
	/** The id of the PaymentIntent or SetupIntent. */
	intent: string;
	payment_method: string;
	status: "pending" | "completed" | "failed";
}

export function newAuthentication(intentId: string, paymentMethodId: string): Authentication {
	return { id: newId("src_"), intent: intentId, payment_method: paymentMethodId, status: "pending" };
}

/** Returns the next action of an intent that Stripe.js authenticates in a dialog. */
export function authenticationAction(authenticationId: string) {
	return {
		type: "use_stripe_sdk",
		use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: "three-d-secure", source: authenticationId },
	};
}
