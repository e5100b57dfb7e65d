import type { MissingKeys, StripeAccount } from "#app/services.server.ts";

export const stripeKeyNames = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] as const;

type StripeVariables = Partial<Record<(typeof stripeKeyNames)[number] | "STRIPE_API_BASE", string>>;

/** Returns the Stripe account configured by the three keys. If STRIPE_API_BASE is set, its requests are sent to that
 *  server. If variables are missing or invalid, returns which ones, so that there is never a silent fallback. */
export function stripeAccount(env: Env): StripeAccount | MissingKeys {
	const missing = missingVariables(env);
	if (missing.length > 0) return { missing };
	const base = env.STRIPE_API_BASE ? findOrigin(env.STRIPE_API_BASE) : null;
	return {
		secretKey: env.STRIPE_SECRET_KEY,
		publishableKey: env.STRIPE_PUBLISHABLE_KEY,
		webhookSecret: env.STRIPE_WEBHOOK_SECRET,
		signingKey: env.STRIPE_SECRET_KEY,
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

/** Returns what must be set before the shop can take payments: variable names, without their values. If any key is
 *  missing, returns only the missing keys and ignores STRIPE_API_BASE. */
export function missingVariables(variables: StripeVariables): string[] {
	const missing = stripeKeyNames.filter((name) => !variables[name]);
	if (missing.length > 0 || !variables.STRIPE_API_BASE) return missing;
	const demands: string[] = [];
	if (findOrigin(variables.STRIPE_API_BASE) === null) {
		demands.push("STRIPE_API_BASE to an http(s) URL without a path");
	}
	// never send a live key to a server other than Stripe
	if (!variables.STRIPE_SECRET_KEY?.startsWith("sk_test_")) {
		demands.push("STRIPE_SECRET_KEY to an sk_test_ key, the only kind that goes with STRIPE_API_BASE");
	}
	return demands;
}

/** Returns the origin of an http(s) URL, or null if `base` is not one or has a path. The SDK's paths are fixed, so a
 *  path would be ignored. */
export function findOrigin(base: string): string | null {
	const url = URL.parse(base);
	if (url?.protocol !== "http:" && url?.protocol !== "https:") return null;
	return url.href === `${url.origin}/` ? url.origin : null;
}

/** Returns a fetch that sends the SDK's requests to another server, otherwise unchanged. */
function fetchFrom(origin: string): typeof fetch {
	return (input: RequestInfo | URL, init?: RequestInit) => {
		const request = new Request(input, init);
		const { pathname, search } = new URL(request.url);
		return fetch(new Request(origin + pathname + search, request), { redirect: "manual" });
	};
}
