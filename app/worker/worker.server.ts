import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { refuse } from "#app/failures/refusal-page.server.ts";
import { openPrimary } from "#app/http/databases.server.ts";
import { guard } from "#app/http/guard.server.ts";
import { setSecurityHeaders } from "#app/http/headers.server.ts";
import { logRequest } from "#app/http/log.server.ts";
import { cachedPage } from "#app/http/page-cache.server.ts";
import { openContext } from "#app/http/request-context.server.ts";
import { matchRoute } from "#app/http/route-match.server.ts";
import type { Services } from "#app/http/services.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { reconcile } from "#app/payments/reconcile.server.ts";
import { type Payments, withPayments } from "#app/payments/stripe-api.server.ts";
import { withTimeout } from "#app/ui/timeout.ts";
import { unavailable } from "#app/ui/unavailable.ts";
import { pageRule, requestRules } from "./request-rules.server.ts";
import { loadRoutes } from "./router.server.ts";

/** Returns the shop's Worker. `openServices` returns the services of one request; `request` is null for the cron. */
export function shopWorker(openServices: (env: Env, request: Request | null) => Services | Promise<Services>) {
	let loaded: ReturnType<typeof loadRoutes> | undefined;

	/** Loads the routes once. In development, loads them for each request, because the build changes. */
	function openRoutes() {
		if (!loaded || import.meta.env.DEV) loaded = loadRoutes();
		return loaded;
	}

	return {
		async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
			const began = performance.now();
			const services = await openServices(env, request);
			const { patterns, render } = await openRoutes();
			const url = new URL(request.url);
			const route = matchRoute(patterns, url);
			const rule = requestRules.get(route.pattern) ?? pageRule;
			const context = openContext(request, services, route, { waitUntil: (work) => ctx.waitUntil(work) });
			const { cookies, databases, nonce } = context;
			const isPersonal = cookies.get(sessionCookieName) !== null;

			async function respond(): Promise<Response> {
				const guarded = await guard(request, route.pattern, rule, services);
				if (guarded instanceof Response) return guarded;
				if (!(guarded instanceof Request)) return refuse(request, nonce, guarded);
				const page = async () => render(guarded, context);
				const isOnlyUrl = url.pathname + url.search === route.path;
				const isCacheable = rule.isCached && !isPersonal && request.method === "GET" && isOnlyUrl;
				return withFallback(
					services.timeouts.response,
					() => (isCacheable && !import.meta.env.DEV ? cachedPage(url, nonce, services.now(), page) : page()),
					() => refuse(request, nonce, { status: 503, code: "unavailable", message: unavailable }),
				);
			}

			const response = await respond();
			databases.remember();
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
			const run = (payments: Payments) => withTimeout(services.timeouts.cron, reconcile(payments));
			await withPayments(services, openPrimary(services.d1), run);
		},
	} satisfies ExportedHandler<Env>;
}
