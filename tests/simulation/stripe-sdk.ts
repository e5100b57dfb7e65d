import Stripe from "../../node_modules/stripe/esm/stripe.esm.worker.js";

// Replaces the module `stripe` (see vitest.config.ts) by its build for Workers, whose random numbers come from a global.

/** The SDK by key. Creating it takes longer than most requests. */
export const openedSdks = new Map<string, Stripe>();

export default new Proxy(Stripe, {
	construct(target, [key, config]) {
		const known = openedSdks.get(key) ?? new target(key, config);
		openedSdks.set(key, known);
		return known;
	},
});
