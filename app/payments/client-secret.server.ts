import * as z from "zod/mini";

/** A client secret by its form: an id and a secret, nothing that could change the path of a call to Stripe. */
export const clientSecretShape = z.string().check(z.maxLength(200), z.regex(/^pi_[A-Za-z0-9]+_secret_[A-Za-z0-9]+$/));

/** Returns the id of the PaymentIntent that a client secret belongs to. */
export function paymentIntentIdOf(clientSecret: string): string {
	return clientSecret.split("_secret_")[0] ?? "";
}

/** The signature that create returned with it. Without one, Stripe is asked in its place. */
export const signatureShape = z._default(z.string().check(z.maxLength(100)), "");
