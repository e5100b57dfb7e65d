import Stripe from "../../node_modules/stripe/esm/stripe.esm.worker.js";

// Replaces the module `stripe` (see vitest.config.ts) with its build for Workers, which takes its random numbers from a
// global.

/** SDK instances by key, reused because creating one takes longer than most requests. */
export const openedSdks = new Map<string, Stripe>();

export default new Proxy(Stripe, {
	construct(target, [key, config]) {
		const known = openedSdks.get(key) ?? new target(key, config);
		openedSdks.set(key, known);
		return known;
	},
});
