import type { Services } from "#app/http/services.server.ts";

export const stripeKeyNames = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] as const;

/** Returns the Stripe account configured by the three keys. If keys are missing, returns which ones, so that there is
 *  never a silent fallback. */
export function stripeAccount(env: Pick<Env, (typeof stripeKeyNames)[number] | "SHOP_ID">): Services["stripe"] {
	const missing = missingKeys(env);
	if (missing.length > 0) return { missing };
	return {
		secretKey: env.STRIPE_SECRET_KEY,
		publishableKey: env.STRIPE_PUBLISHABLE_KEY,
		webhookSecret: env.STRIPE_WEBHOOK_SECRET,
		signingKey: env.STRIPE_SECRET_KEY,
		fetch: (input, init) => fetch(input, { ...init, redirect: "manual" }),
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

export function missingKeys(variables: Partial<Record<(typeof stripeKeyNames)[number], string>>): string[] {
	return stripeKeyNames.filter((name) => !variables[name]);
}
