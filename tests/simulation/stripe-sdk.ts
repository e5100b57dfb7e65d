import Stripe from "../../node_modules/stripe/esm/stripe.esm.worker.js";

// Stands for the module `stripe` (see vitest.config.ts): its build for Workers, whose random numbers come from a global.

/** The SDK by its key: creating it for every request takes longer than most requests. */
export const openedSdks = new Map<string, Stripe>();

export default new Proxy(Stripe, {
	construct(target, [key, config]) {
		const known = openedSdks.get(key) ?? new target(key, config);
		openedSdks.set(key, known);
		return known;
	},
});
