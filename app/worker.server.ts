import { createRequestHandler } from "@react-router/cloudflare";
import { generateIdFromEntropySize } from "lucia";
import { RouterContextProvider } from "react-router";
import { passwordCost } from "./auth/password.server.ts";
import { deleteExpiredSessions, sessionCookieName } from "./auth/sessions.server.ts";
import { CookieJar, cookiesContext } from "./http/cookies.server.ts";
import { databasesContext, openDatabases, openPrimary } from "./http/databases.server.ts";
import { nonceContext } from "./http/document.ts";
import { guard } from "./http/guard.server.ts";
import { setSecurityHeaders } from "./http/headers.server.ts";
import { logRequest } from "./http/log.server.ts";
import { cachedPage } from "./http/page-cache.server.ts";
import { matchRoute, type RouteMatch, routeContext } from "./http/route-match.server.ts";
import { withFallback } from "./http/timeout.server.ts";
import { withTimeout } from "./http/timeout.ts";
import { openPayments } from "./payments/payments.server.ts";
import { reconcile } from "./payments/reconcile.server.ts";
import { stripeAccount } from "./payments/stripe-account.server.ts";
import { pageRule, requestRules } from "./request-rules.server.ts";
import { type Services, servicesContext, type Timeouts } from "./services.server.ts";
import { refuse } from "./shell/refusal-page.server.ts";

/** A payment request takes at most 8 seconds: two attempts of 3 seconds at Stripe, plus D1. */
const timeouts: Timeouts = {
	request: 8000,
	response: 9000,
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
			const began = performance.now();
			const services = await openServices(env, request);
			const { patterns, render } = await openRoutes();
			const url = new URL(request.url);
			const route = matchRoute(patterns, url);
			const rule = requestRules.get(route.pattern) ?? pageRule;
			const cookies = new CookieJar(request);
			const isPersonal = cookies.get(sessionCookieName) !== null;
			const { databases, remember } = openDatabases(services.d1, cookies);
			const nonce = generateIdFromEntropySize(20);
			const context = new RouterContextProvider();
			context.set(servicesContext, services);
			context.set(cookiesContext, cookies);
			context.set(databasesContext, databases);
			context.set(nonceContext, nonce);
			context.set(routeContext, route);

			async function respond(): Promise<Response> {
				const guarded = await guard(request, route.pattern, rule, services);
				if (guarded instanceof Response) return guarded;
				if (!(guarded instanceof Request)) return refuse(request, guarded);
				if (route.canonical) return redirectTo(route.canonical, url);
				const page = async () => render(toRoute(guarded, route), context, ctx);
				const isOnlyUrl = url.pathname + url.search === route.path;
				const isCacheable = rule.isCached && !isPersonal && request.method === "GET" && isOnlyUrl;
				return withFallback(
					services.timeouts.response,
					() => (isCacheable && !import.meta.env.DEV ? cachedPage(url, nonce, services.now(), page) : page()),
					() => refuse(request, unavailable),
				);
			}

			const response = await respond();
			remember();
			if (rule.needsCookies) cookies.findOutIfKept();
			const headers = new Headers(response.headers);
			cookies.appendTo(headers);
			const sources = "missing" in services.stripe ? { script: [], frame: [], connect: [] } : services.stripe.sources;
			setSecurityHeaders(headers, { nonce, sources, isPersonal });
			const { status, statusText, webSocket } = response;
			logRequest(request, route.pattern, began, status, headers);
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

/** Returns the paths in routes.ts, and a function that renders a request with React Router. */
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
			if (!(provider instanceof RouterContextProvider)) throw new Error("Pass the provider in `data`, as render does.");
			return provider;
		},
	});
	// the adapter is made for Cloudflare Pages, where a request can be forwarded to another server
	const render = (request: IncomingRequest, provider: RouterContextProvider, ctx: ExecutionContext) =>
		handle({
			...{ request, data: { provider }, params: {}, functionPath: "", env: { ASSETS: { fetch: noNextHandler } } },
			next: noNextHandler,
			waitUntil: (promise) => ctx.waitUntil(promise),
			passThroughOnException: () => ctx.passThroughOnException(),
		});
	return { patterns: paths.filter((path) => path !== "/*"), render };
}

function redirectTo(path: string, url: URL): Response {
	const target = new URL(url);
	target.pathname = path;
	return new Response(null, { status: 301, headers: { Location: target.pathname + target.search } });
}

/** Returns the request as React Router gets it. A path that matches no route becomes /not-found: React Router's matching
 *  takes time quadratic in a path's length, its splat route does not match a line break, and it handles some paths itself
 *  (/__manifest). */
function toRoute(request: Request, { pattern }: RouteMatch): IncomingRequest {
	const routed = pattern === "*" ? toNotFound(request) : request;
	if (!isIncoming(routed)) throw new Error("new Request() no longer copies cf; is there another way to copy it?");
	return routed;
}

/** Returns the request with the path of the 404 page. Only GET and HEAD requests reach it, so there is no body. */
function toNotFound({ url, method, headers, signal }: Request): Request {
	const target = new URL(url);
	target.pathname = target.pathname.endsWith(".data") ? "/not-found.data" : "/not-found";
	return new Request(target, { method, headers, signal });
}

/** Returns whether the request has `cf`. `new Request(request)` copies `cf`, but its type, which browsers and Workers
 *  share, does not declare this. Does not read `cf`, because reading it would parse it for every request. */
function isIncoming(request: Request): request is IncomingRequest {
	return "cf" in request;
}

function noNextHandler(): never {
	throw new Error("There is no server behind this Worker; its assets are served before it runs.");
}
