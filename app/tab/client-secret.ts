/** A PaymentIntent's client secret, without characters that could change the path of a Stripe API call. */
export const clientSecretPattern = /^(?=.{1,200}$)pi_[a-z\d]+_secret_[a-z\d]+$/i;

/** Maximum length of the shop's signature of a client secret. */
export const maxSignatureLength = 100;

/** Returns the id of the PaymentIntent that a client secret belongs to. */
export const paymentIntentIdOf = (clientSecret: string) => clientSecret.split("_secret_")[0] ?? "";
