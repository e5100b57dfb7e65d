import { passwordCost } from "./auth/password.server.ts";
import { responseTimeout } from "./http/timeout.ts";
import { stripeAccount } from "./payments/stripe-account.server.ts";
import type { Services, Timeouts } from "./services.server.ts";

/** A payment request takes at most 8 seconds: two attempts of 3 seconds at Stripe, plus D1. */
const timeouts: Timeouts = {
	work: 8000,
	response: responseTimeout,
	read: 1500,
	cron: 4 * 60_000,
	stripeCall: 3000,
	feed: 1000,
	rateLimit: 1000,
	hashQueue: 4000,
};

/** Returns the services of a deployed shop: D1, Stripe if its keys are set, and the system clock. */
export function productionServices(env: Env): Services {
	return {
		now: () => Math.floor(Date.now() / 1000),
		d1: env.DB,
		stripe: stripeAccount(env),
		orderFeed: (userId) => env.ORDER_FEED.getByName(userId),
		rateLimits: {
			address: env.RATE_LIMIT_PER_ADDRESS,
			account: env.RATE_LIMIT_PER_ACCOUNT,
			order: env.RATE_LIMIT_PER_ORDER,
		},
		timeouts,
		passwordCost,
	};
}
