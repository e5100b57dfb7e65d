import { drain } from "stripe-emulator/body.ts";
import { answerBrowser, refuseRate } from "stripe-emulator/browser-routes.ts";
import { answerControl, type Played } from "stripe-emulator/controls/answer-control.ts";
import { openAccount } from "stripe-emulator/entrypoint.ts";
import { PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET } from "stripe-emulator/keys.ts";
import { addressOf, isRateLimited, retryLater } from "#app/http/rate-limit.server.ts";
import { stripeAccount, stripeKeyNames } from "#app/payments/stripe-account.server.ts";
import type { Services, Timeouts } from "#app/services.server.ts";
import { productionServices, shopWorker } from "#app/worker.server.ts";
import { ShopFaults } from "./shop-faults.ts";

export { StripeEmulatorAccount } from "stripe-emulator/account.ts";
export { StripeEmulator } from "stripe-emulator/entrypoint.ts";
export { OrderFeed } from "#app/orders/order-feed.server.ts";

declare global {
	interface Env {
		/** Time limits in place of the deployed ones. Tests set generous ones, so that none depends on a machine's speed. */
		TIMEOUTS?: Timeouts;
	}
}

const prefix = "/stripe-emulator";

/** In the memory of this isolate, which on one's own machine is the only one. */
const played: Played = { shopFaults: new ShopFaults(), timeouts: null, clockAdvance: undefined };

/** The shop's Worker plus the emulator. With no Stripe keys at all the emulator takes the payments; with some of
 *  them the shop says which are missing, and with all three the emulator is not there. */
const shop = shopWorker(async (env, request) => {
	if (!emulates(env)) return productionServices(env);
	const services = withLocalTimeouts(env);
	played.clockAdvance ??= await openAccount(env).clockAdvance();
	const advance = played.clockAdvance;
	const url = request && new URL(request.url);
	const { d1, fetch, feed } = played.shopFaults.openRequest(url?.pathname.replace(/\.data$/, "") ?? "cron");
	return {
		...services,
		now: () => services.now() + advance,
		d1: d1(services.d1),
		orderFeed: (userId) => {
			const real = services.orderFeed(userId);
			return {
				fetch: (asked) => feed(() => real.fetch(asked)),
				notify: () => feed(() => real.notify()),
				disconnect: (session) => feed(() => real.disconnect(session)),
			};
		},
		stripe: emulatedAccount(env, url?.origin ?? null, fetch),
		notice: env.DEMO,
	};
});

export default {
	...shop,
	async fetch(request, env, ctx) {
		const { pathname, hostname } = new URL(request.url);
		if (!pathname.startsWith(`${prefix}/`)) return shop.fetch(request, env, ctx);
		const path = pathname.slice(prefix.length);
		const answer = emulates(env) && (await answerEmulator(request, path, hostname, env));
		if (answer) return withSecurityHeaders(answer);
		await drain(request);
		return withSecurityHeaders(new Response("Not found", { status: 404 }));
	},
} satisfies ExportedHandler<Env>;

/** Puts the security headers on a response of the emulator. */
function withSecurityHeaders(answer: Response): Response {
	const response = new Response(answer.body, answer);
	const { headers } = response;
	headers.set("Cross-Origin-Resource-Policy", "same-origin");
	// not no-referrer: with that Chromium sends `Origin: null` with the page's own forms
	headers.set("Referrer-Policy", "same-origin");
	headers.set("Strict-Transport-Security", "max-age=63072000; includeSubDomains; preload");
	headers.set("X-Content-Type-Options", "nosniff");
	if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
	if (!headers.has("Content-Security-Policy")) {
		headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
	}
	return response;
}

/** Everything on this very machine; in a public demo only what a shopper's browser needs. Null for anything else. */
async function answerEmulator(request: Request, path: string, hostname: string, env: Env) {
	if (isLoopback(hostname)) {
		const controlled = { account: openAccount(env), played, reconcile: () => shop.scheduled(null, env) };
		return (await answerControl(request, path, controlled)) ?? answerBrowser(request, path, env);
	}
	const hosts = (env.STRIPE_EMULATOR_HOSTS ?? "").split(",").map((host) => host.trim());
	if (!hosts.includes(hostname)) return null;
	if (path.startsWith("/v1/") && request.method !== "OPTIONS" && (await isTooManyCalls(request, env))) {
		await drain(request);
		return refuseRate(retryLater);
	}
	// What opens the account stands in its source, so in public the secret key opens nothing.
	const headers = new Headers(request.headers);
	headers.delete("Authorization");
	const withoutKey = new Request(request, { headers });
	const answer = await answerBrowser(withoutKey, path, env);
	if (!answer) await drain(withoutKey);
	return answer;
}

/** Returns whether a client of a public demo has called the API too often: most calls store an object that the account
 *  never deletes. */
function isTooManyCalls(request: Request, env: Env): Promise<boolean> {
	return isRateLimited(withLocalTimeouts(env), "address", `${prefix}/v1 ${addressOf(request)}`);
}

/** Returns what the shop may reach, with the time limits of TIMEOUTS and of the `limits` control. */
function withLocalTimeouts(env: Env): Services {
	const services = productionServices(env);
	return { ...services, timeouts: { ...services.timeouts, ...env.TIMEOUTS, ...played.timeouts } };
}

function isLoopback(hostname: string): boolean {
	return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) || hostname.endsWith(".localhost");
}

function emulates(env: Env): boolean {
	const account = stripeAccount(env);
	return "missing" in account && account.missing.length === stripeKeyNames.length;
}

function emulatedAccount(env: Env, page: string | null, wrap: (carry: typeof fetch) => typeof fetch) {
	const emulator = env.STRIPE_EMULATOR;
	if (!emulator) throw new Error("STRIPE_EMULATOR is not bound; add the [[services]] entry to wrangler.toml.");
	return {
		secretKey: SECRET_KEY,
		publishableKey: PUBLISHABLE_KEY,
		webhookSecret: WEBHOOK_SECRET,
		fetch: wrap((input: RequestInfo | URL, init?: RequestInit) => emulator.fetch(new Request(input, init))),
		scriptUrl: `${prefix}/stripe.js`,
		sources: { script: [], frame: page === null ? [] : [page], connect: [] },
		shopId: env.SHOP_ID,
	};
}
