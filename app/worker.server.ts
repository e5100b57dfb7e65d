import { createRequestHandler } from "@react-router/cloudflare";
import { RouterContextProvider } from "react-router";
import { sessionCookieName } from "./auth/lucia.server.ts";
import { CookieJar, cookiesContext } from "./http/cookies.server.ts";
import { databasesContext, openDatabases, openPrimary } from "./http/databases.server.ts";
import { guard, toRoute } from "./http/guard.server.ts";
import { setSecurityHeaders } from "./http/headers.server.ts";
import { nonceContext } from "./http/nonce.ts";
import { cachedPage } from "./http/page-cache.server.ts";
import { refuse } from "./http/refusal.server.ts";
import { openRequestLog } from "./http/request-log.server.ts";
import { withFallback, withTimeout } from "./http/timeout.server.ts";
import { openPayments } from "./payments/payments.server.ts";
import { reconcile } from "./payments/reconcile.server.ts";
import { stripeAccount } from "./payments/stripe-account.server.ts";
import { type Services, servicesContext, type Timeouts } from "./services.server.ts";

/** A browser waits 8 seconds at most for anything about money: two tries of Stripe at 3 seconds each, and D1. */
const timeouts: Timeouts = {
	request: 8000,
	response: 9000,
	cron: 4 * 60_000,
	stripeCall: 3000,
	feed: 1000,
	rateLimit: 1000,
	hashQueue: 4000,
};

/** What a request may reach when nothing is played: real D1, Stripe if there are keys, the real time. */
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
	};
}

const busy = "The shop isn't responding right now. Please try again.";

type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;

/** The whole shop as a Worker. `openServices` says what each request may reach: D1, Stripe and the time. For the cron
 *  there is no request, and it is null. */
export function shopWorker(openServices: (env: Env, request: Request | null) => Services | Promise<Services>) {
	let handle: ReturnType<typeof createRequestHandler<object>> | undefined;

	/** React Router works out its routes once for a build it is given, and per request for one it has to ask for, as it
	 *  must in development, where the build changes. */
	async function openHandler() {
		if (handle && !import.meta.env.DEV) return handle;
		handle = createRequestHandler<object>({
			build: await import("virtual:react-router/server-build"),
			mode: import.meta.env.MODE,
			getLoadContext: ({ context }) => {
				const { provider } = context.cloudflare.data;
				if (!(provider instanceof RouterContextProvider)) throw new Error("fetch below passes the provider on.");
				return provider;
			},
		});
		return handle;
	}

	return {
		async fetch(request: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
			const services = await openServices(env, request);
			const cookies = new CookieJar(request);
			const requestLog = openRequestLog(request, services.d1);
			const { databases, remember } = openDatabases(requestLog.d1, cookies);
			const nonce = crypto.randomUUID();

			const passed = await guard(request, services);
			const guarded = passed instanceof Response ? passed : toRoute(passed);
			let answer: Response;
			if (guarded instanceof Response) answer = guarded;
			else {
				if (!isIncoming(guarded)) throw new Error("The guard lost the request's cf; does new Request() still copy it?");
				const provider = new RouterContextProvider();
				provider.set(servicesContext, services);
				provider.set(cookiesContext, cookies);
				provider.set(databasesContext, databases);
				provider.set(nonceContext, nonce);
				const render = async () =>
					(await openHandler())({
						request: guarded,
						data: { provider },
						env: { ASSETS: { fetch: nothingBehind } },
						next: nothingBehind,
						waitUntil: (promise) => ctx.waitUntil(promise),
						passThroughOnException: () => ctx.passThroughOnException(),
						params: {},
						functionPath: "",
					});
				// in development a page changes whenever its source does
				const work = import.meta.env.DEV ? render : () => cachedPage(guarded, { nonce, now: services.now() }, render);
				answer = await withFallback(services.timeouts.response, work, () => refuse(request, 503, "unavailable", busy));
			}

			remember();
			const headers = new Headers(answer.headers);
			cookies.appendTo(headers);
			const sources = "missing" in services.stripe ? { script: [], frame: [], connect: [] } : services.stripe.sources;
			setSecurityHeaders(headers, { nonce, sources, personal: cookies.get(sessionCookieName) !== null });
			const { status, statusText, webSocket } = answer;
			requestLog.close(status, headers);
			return new Response(answer.body, { status, statusText, headers, webSocket });
		},

		async scheduled(_controller: ScheduledController | null, env: Env): Promise<void> {
			const services = await openServices(env, null);
			await withTimeout(services.timeouts.cron, reconcile(openPayments(services, openPrimary(services.d1))));
		},
	} satisfies ExportedHandler<Env>;
}

/** `new Request(request)` copies cf along, which its type (the browser's, shared by both sides) does not say. Reading cf
 *  would have workerd parse it, for every request. */
function isIncoming(request: Request): request is IncomingRequest {
	return "cf" in request;
}

/** React Router's handler was made for Cloudflare Pages, where another server stands behind each function. */
function nothingBehind(): never {
	throw new Error("There is nothing behind this Worker; its assets are served before it.");
}
