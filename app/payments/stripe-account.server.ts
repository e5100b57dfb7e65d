import type { MissingKeys, StripeAccount } from "#app/outside.server.ts";

export const stripeKeyNames = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] as const;

/** The shop's account at Stripe, from the three keys; or the names of those that are missing, so that half-set keys
 *  are an error somebody can read and never a silent fallback. */
export function stripeAccount(env: Env): StripeAccount | MissingKeys {
	const missing = stripeKeyNames.filter((name) => !env[name]);
	if (missing.length > 0) return { missing };
	return {
		secretKey: env.STRIPE_SECRET_KEY,
		publishableKey: env.STRIPE_PUBLISHABLE_KEY,
		webhookSecret: env.STRIPE_WEBHOOK_SECRET,
		fetch: (input, init) => fetch(input, init),
		scriptUrl: null,
		// https://docs.stripe.com/security/guide#content-security-policy
		sources: {
			script: ["https://js.stripe.com", "https://*.js.stripe.com"],
			frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
			connect: ["https://api.stripe.com"],
		},
		shopId: env.SHOP_ID,
	};
}
