import { z } from "zod";

/** A client secret by its looks: an id and a secret, nothing that could change the path of a call to Stripe. */
export const clientSecretShape = z
	.string()
	.max(200)
	.regex(/^pi_[A-Za-z0-9]+_secret_[A-Za-z0-9]+$/);
