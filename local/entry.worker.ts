import { stripeEmulator } from "stripe-emulator";
import { openAccount } from "stripe-emulator/env.ts";
import { defaultKeys } from "stripe-emulator/keys.ts";
import { addressOf, isRateLimited, retryLater } from "#app/http/rate-limit.server.ts";
import type { Services, StripeAccount } from "#app/http/services.server.ts";
import { stripeAccount, stripeKeyNames } from "#app/payments/stripe-config.server.ts";
import { productionServices } from "#app/worker/production-services.server.ts";
import { shopWorker } from "#app/worker/worker.server.ts";
import { shopConsole } from "./console.ts";
import { ShopSettings } from "./controls.ts";
import { d1CalledBy } from "./d1-calls.ts";

export { StripeEmulator } from "stripe-emulator/entrypoint.ts";
export { OrderFeed } from "#app/orders/order-feed.server.ts";
export { StripeEmulatorAccount } from "./account.ts";

declare global {
	interface Env {
		/** Timeouts that override the deployed ones. Tests set long timeouts, so that no test depends on a machine's
		 *  speed. */
		TIMEOUTS?: Services["timeouts"];
		/** The cost of new password hashes. Tests set a cheap one. */
		PASSWORD_COST?: Services["passwordCost"];
	}
}

const basePath = "/stripe-emulator";
const settings = new ShopSettings();

/** The shop's Worker, which uses the emulator if no Stripe key is set. If only some keys are set, the shop reports
 *  which are missing. If any key is set, the emulator's paths return 404. */
const shop = shopWorker(async (env, request) => {
	if (!isEmulated(env)) return productionServices(env);
	const services = localServices(env);
	settings.clockAdvance ??= await openAccount(env).clockAdvance();
	settings.signingKey ??= await openAccount(env).signingKey();
	const advance = settings.clockAdvance;
	const url = request && new URL(request.url);
	const { d1, fetch, feed } = settings.faults.openRequest(url?.pathname.replace(/\.data$/, "") ?? "cron");
	return {
		...services,
		now: () => services.now() + advance,
		d1: d1(distantD1(services.d1, settings.d1Latency)),
		orderFeed: (userId) => {
			const real = services.orderFeed(userId);
			return {
				fetch: (request) => feed(() => real.fetch(request)),
				notify: () => feed(() => real.notify()),
				disconnect: (session) => feed(() => real.disconnect(session)),
			};
		},
		stripe: emulatedAccount(env, settings.signingKey, url?.origin ?? null, fetch),
		notice: env.DEMO,
	};
});

const emulator = stripeEmulator<Env>({
	basePath,
	isEnabled: isEmulated,
	publicHosts: (env) => (env.STRIPE_EMULATOR_HOSTS ?? "").split(",").map((host) => host.trim()),
	// limit public calls, because most calls store an object, which the account deletes only after a day
	async limitCall(request, env) {
		const key = `${basePath}/v1 ${addressOf(request)}`;
		const isLimited = await isRateLimited(localServices(env), "address", key);
		return isLimited ? Number(retryLater["Retry-After"]) : null;
	},
	console: shopConsole(settings, (env) => shop.scheduled(null, env)),
});

export default {
	...shop,
	async fetch(request, env, ctx) {
		return (await emulator.fetch(request, env)) ?? shop.fetch(request, env, ctx);
	},
} satisfies ExportedHandler<Env>;

/** Returns the shop's services with the cost from PASSWORD_COST, and the timeouts from TIMEOUTS and the `timeouts`
 *  control. */
function localServices(env: Env): Services {
	const services = productionServices(env);
	return {
		...services,
		passwordCost: env.PASSWORD_COST ?? services.passwordCost,
		timeouts: { ...services.timeouts, ...env.TIMEOUTS, ...settings.timeouts },
	};
}

/** Delays each call by `latency` milliseconds. */
function distantD1(d1: D1Database, latency: number): D1Database {
	if (latency === 0) return d1;
	return d1CalledBy(async (make) => {
		await new Promise((resolve) => setTimeout(resolve, latency));
		return make();
	}, d1);
}

/** Returns whether none of the Stripe keys are set. */
function isEmulated(env: Env): boolean {
	const account = stripeAccount(env);
	return "missing" in account && account.missing.length === stripeKeyNames.length;
}

function emulatedAccount(
	env: Env,
	signingKey: string,
	page: string | null,
	wrap: (carry: typeof fetch) => typeof fetch,
): StripeAccount {
	const emulator = env.STRIPE_EMULATOR;
	if (!emulator) throw new Error("STRIPE_EMULATOR is not bound; add the [[services]] entry to wrangler.toml.");
	return {
		...defaultKeys,
		signingKey,
		fetch: wrap((input: RequestInfo | URL, init?: RequestInit) => emulator.fetch(new Request(input, init))),
		scriptUrl: `${basePath}/stripe.js`,
		sources: { script: [], frame: page === null ? [] : [page], connect: [] },
		shopId: env.SHOP_ID,
	};
}
