import { createRequestHandler } from "@react-router/cloudflare";
import { generateIdFromEntropySize } from "lucia";
import { RouterContextProvider } from "react-router";
import { passwordCost } from "./auth/password.server.ts";
import { deleteExpiredSessions, sessionCookieName } from "./auth/sessions.server.ts";
import { CookieJar, cookiesContext } from "./http/cookies.server.ts";
import { databasesContext, openDatabases, openPrimary } from "./http/databases.server.ts";
import { guard } from "./http/guard.server.ts";
import { setSecurityHeaders } from "./http/headers.server.ts";
import { nonceContext } from "./http/nonce.ts";
import { isCacheable } from "./http/page-cache.server.ts";
import { openRequestLog } from "./http/request-log.server.ts";
import { matchRoute, routeContext } from "./http/route-match.server.ts";
import { withFallback } from "./http/timeout.server.ts";
import { withTimeout } from "./http/timeout.ts";
import { openPayments } from "./payments/payments.server.ts";
import { reconcile } from "./payments/reconcile.server.ts";
import { stripeAccount } from "./payments/stripe-account.server.ts";
import { pageRule, requestRules } from "./request-rules.server.ts";
import { type Services, servicesContext, type Timeouts } from "./services.server.ts";
import { cachedPage } from "./shell/cached-page.server.ts";
import { refuse } from "./shell/refusal-page.server.ts";

/** A payment request takes at most 8 seconds: two attempts of 3 seconds at Stripe, plus D1. */
const timeouts: Timeouts = {
	request: 8000,
	response: 9000,
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

const unavailable = {
	status: 503,
	code: "unavailable",
	message: "The shop isn't responding right now. Please try again.",
};

type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;

/** Returns the shop's Worker. `openServices` returns the services of one request; `request` is null for the cron. */
export function shopWorker(openServices: (env: Env, request: Request | null) => Services | Promise<Services>) {
	let loaded: ReturnType<typeof loadRoutes> | undefined;

	/** Loads the routes once. In development, loads them for each request, because the build changes. */
	function openRoutes() {
		if (!loaded || import.meta.env.DEV) loaded = loadRoutes();
		return loaded;
	}

	return {
		async fetch(request: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
			const services = await openServices(env, request);
			const cookies = new CookieJar(request);
			const { routes, handle } = await openRoutes();
			const url = new URL(request.url);
			const route = matchRoute(routes, url);
			const { pattern, pathname } = route;
			const rule = requestRules.get(pattern) ?? pageRule;
			const requestLog = openRequestLog(request, pattern, services.d1);
			const { databases, remember } = openDatabases(requestLog.d1, cookies);
			const nonce = generateIdFromEntropySize(20);

			const respond = async (guarded: Request) => {
				// a request with another path loses its `cf`, which the 404 page does not need
				const routed = pathname === url.pathname ? guarded : withPathname(guarded, pathname);
				if (!isIncoming(routed)) throw new Error("new Request() no longer copies cf; is there another way to copy it?");
				const openContext = (nonce: string) => {
					const provider = new RouterContextProvider();
					provider.set(servicesContext, services);
					provider.set(cookiesContext, cookies);
					provider.set(databasesContext, databases);
					provider.set(nonceContext, nonce);
					provider.set(routeContext, route);
					return provider;
				};
				const render = async (provider: RouterContextProvider) =>
					handle({
						request: routed,
						data: { provider },
						env: { ASSETS: { fetch: noNextHandler } },
						next: noNextHandler,
						waitUntil: (promise) => ctx.waitUntil(promise),
						passThroughOnException: () => ctx.passThroughOnException(),
						params: {},
						functionPath: "",
					});
				const work = () =>
					isCacheable(request, rule, route) && !import.meta.env.DEV
						? cachedPage(request, url, nonce, openContext, render)
						: render(openContext(nonce));
				return withFallback(services.timeouts.response, work, () => refuse(request, unavailable));
			};

			const guarded = await guard(request, pattern, rule, services);
			const response =
				guarded instanceof Request
					? await respond(guarded)
					: guarded instanceof Response
						? guarded
						: refuse(request, guarded);
			remember();
			const headers = new Headers(response.headers);
			cookies.appendTo(headers);
			const sources = "missing" in services.stripe ? { script: [], frame: [], connect: [] } : services.stripe.sources;
			setSecurityHeaders(headers, { nonce, sources, isPersonal: cookies.get(sessionCookieName) !== null });
			const { status, statusText, webSocket } = response;
			requestLog.close(status, headers);
			return new Response(response.body, { status, statusText, headers, webSocket });
		},

		async scheduled(_controller: ScheduledController | null, env: Env): Promise<void> {
			const services = await openServices(env, null);
			const primary = openPrimary(services.d1);
			await deleteExpiredSessions(primary);
			await withTimeout(services.timeouts.cron, reconcile(openPayments(services, primary)));
		},
	} satisfies ExportedHandler<Env>;
}

/** Returns the paths in routes.ts and React Router's request handler. */
async function loadRoutes() {
	const build = await import(
		"virtual:react-router/server-build" // run `npm run build` first
	);
	const paths = Object.values(build.routes).flatMap((route) =>
		route?.index ? "/" : route?.path ? `/${route.path}` : [],
	);
	const handle = createRequestHandler<object>({
		build,
		mode: import.meta.env.MODE,
		getLoadContext: ({ context }) => {
			const { provider } = context.cloudflare.data;
			if (!(provider instanceof RouterContextProvider))
				throw new Error("Pass the provider in `data`, as respond does.");
			return provider;
		},
	});
	return { routes: paths.filter((path) => path !== "/*").map((path) => ({ path })), handle };
}

/** Returns the request with another path and without its body, which may have been read. Only GET and HEAD requests get
 *  another path. */
function withPathname(request: Request, pathname: string): Request {
	const url = new URL(request.url);
	url.pathname = pathname;
	return new Request(url, { method: request.method, headers: request.headers, signal: request.signal });
}

/** Returns whether the request has `cf`. `new Request(request)` copies `cf`, but its type, which browsers and Workers
 *  share, does not declare this. Does not read `cf`, because reading it would parse it for every request. */
function isIncoming(request: Request): request is IncomingRequest {
	return "cf" in request;
}

/** Always throws. React Router's handler is made for Cloudflare Pages, where it can forward a request to another
 *  server. */
function noNextHandler(): never {
	throw new Error("There is no server behind this Worker; its assets are served before it runs.");
}
