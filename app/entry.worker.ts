import { stripeAccount } from "./payments/stripe-account.server.ts";
import { defaultLimits, shopWorker } from "./worker.server.ts";

/** The shop in production: real D1, real Stripe, the real time. */
export default shopWorker((env) => ({
	now: () => Math.floor(Date.now() / 1000),
	d1: env.DB,
	stripe: stripeAccount(env),
	limits: defaultLimits,
}));
