import type { MissingKeys, StripeAccount } from "#app/services.server.ts";

export const stripeKeyNames = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] as const;

type StripeVariables = Partial<Record<(typeof stripeKeyNames)[number] | "STRIPE_API_BASE", string>>;

/** Returns the shop's Stripe account from the three keys, or the server that STRIPE_API_BASE names. If keys are
 *  missing or wrong, returns which, so that there is never a silent fallback. */
export function stripeAccount(env: Env): StripeAccount | MissingKeys {
	const missing = missingVariables(env);
	if (missing.length > 0) return { missing };
	const base = env.STRIPE_API_BASE ? findOrigin(env.STRIPE_API_BASE) : null;
	return {
		secretKey: env.STRIPE_SECRET_KEY,
		publishableKey: env.STRIPE_PUBLISHABLE_KEY,
		webhookSecret: env.STRIPE_WEBHOOK_SECRET,
		fetch: base === null ? (input, init) => fetch(input, { ...init, redirect: "manual" }) : fetchFrom(base),
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

/** Returns the variables that must be set before payments can be taken, by name and never by value. Without any key
 *  these are the three keys: STRIPE_API_BASE alone has no effect. */
export function missingVariables(variables: StripeVariables): string[] {
	const missing = stripeKeyNames.filter((name) => !variables[name]);
	if (missing.length > 0 || !variables.STRIPE_API_BASE) return missing;
	const demands: string[] = [];
	if (findOrigin(variables.STRIPE_API_BASE) === null) {
		demands.push("STRIPE_API_BASE to an http(s) URL without a path");
	}
	// a live key would be sent to a server that is not Stripe
	if (!variables.STRIPE_SECRET_KEY?.startsWith("sk_test_")) {
		demands.push("STRIPE_SECRET_KEY to an sk_test_ key, the only kind that goes with STRIPE_API_BASE");
	}
	return demands;
}

/** Returns the origin of a server with Stripe's API, or null if `base` has a path: the SDK's paths are fixed, so it
 *  would be ignored. */
export function findOrigin(base: string): string | null {
	const url = URL.parse(base);
	if (url?.protocol !== "http:" && url?.protocol !== "https:") return null;
	return url.href === `${url.origin}/` ? url.origin : null;
}

/** Sends Stripe's requests to another server, unchanged. */
function fetchFrom(origin: string): typeof fetch {
	return (input: RequestInfo | URL, init?: RequestInit) => {
		const request = new Request(input, init);
		const { pathname, search } = new URL(request.url);
		return fetch(new Request(origin + pathname + search, request), { redirect: "manual" });
	};
}
