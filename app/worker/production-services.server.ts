import { passwordCost } from "#app/auth/password.server.ts";
import type { Services } from "#app/http/services.server.ts";
import { timeouts } from "#app/http/timeout.server.ts";
import { stripeAccount } from "#app/payments/stripe-config.server.ts";

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
