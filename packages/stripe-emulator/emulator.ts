import { StripeEmulatorAccount } from "./account.ts";
import { drain } from "./body.ts";
import { rateLimitedResponse, respondToBrowser } from "./browser-routes.ts";
import type { ConsoleExtension } from "./controls/console-extension.ts";
import { respondFromConsole } from "./controls/console-routes.ts";
import { type EmulatorEnv, openAccount } from "./env.ts";
import { defaultKeys, type Keys } from "./keys.ts";
import { withSecurityHeaders } from "./security-headers.ts";
import type { WebhookEndpoint } from "./webhooks/endpoint.ts";

/** Where `Account` sends the events: to a path of the host's own Worker, or to a URL over the network. */
export type Webhooks = ({ path: `/${string}` } | { url: string }) & {
	/** The types of the events to send. Default: all. */
	events?: readonly string[];
};

export interface EmulatorOptions<Env extends EmulatorEnv> {
	/** The base path of every emulator URL, such as "/stripe". */
	basePath: string;
	/** Returns whether the emulator is enabled; if not, every path below `basePath` returns 404. Default: always. */
	isEnabled?(env: Env): boolean;
	/** Returns the public host names on which browsers can pay. Default: none, so that only loopback host names
	 *  work. */
	publicHosts?(env: Env): readonly string[];
	/** Returns whether every host name is treated like a loopback host name. The emulator has no login, so this is only
	 *  for private networks, such as those of containers. Default: false. */
	allowsAnyHost?(env: Env): boolean;
	/** Which pages can contain the frames of Stripe.js, as the sources of the CSP directive frame-ancestors. Default:
	 *  'self', pages of the emulator's own origin. */
	frameAncestors?: string;
	/** Counts an API call on a public host. Returns null if the call is allowed, or `Retry-After` in seconds. */
	limitCall?(request: Request, env: Env): Promise<number | null>;
	/** The webhook endpoint of `Account`. Default: none. Others can be created by API. */
	webhooks?: Webhooks;
	/** The keys of `Account`. */
	keys?: Keys;
	/** The host's additions to the console. */
	console?: ConsoleExtension<Env>;
}

/** Creates the emulator in a host's Worker. `Account` is the class of the account's Durable Object, which the host
 *  exports. `api` returns the fetch function of Stripe's API for the host's own server. `fetch` serves the emulator and
 *  returns null for a path outside `basePath`.
 *
 *  On loopback host names, it serves everything. On public hosts, it serves what a shopper's browser needs: Stripe.js,
 *  the frames and the API with a publishable key. On any other host name, it returns 404. */
export function stripeEmulator<Env extends EmulatorEnv>(options: EmulatorOptions<Env>) {
	const { basePath, isEnabled = () => true, publicHosts = () => [], allowsAnyHost = () => false } = options;
	const { frameAncestors = "'self'", limitCall, console: extension = {} } = options;
	const toBrowser = (request: Request, path: string, env: Env) =>
		respondToBrowser(request, path, { account: openAccount(env), frameAncestors });

	async function respond(request: Request, path: string, hostname: string, env: Env): Promise<Response | null> {
		if (!isEnabled(env)) return null;
		if (isLoopback(hostname) || allowsAnyHost(env)) {
			return (await respondFromConsole(request, path, env, extension)) ?? toBrowser(request, path, env);
		}
		if (!publicHosts(env).includes(hostname)) return null;
		if ((path.startsWith("/v1/") && request.method !== "OPTIONS") || path === "/authenticate") {
			const retryAfter = (await limitCall?.(request, env)) ?? null;
			if (retryAfter !== null) {
				await drain(request);
				return rateLimitedResponse(retryAfter);
			}
		}
		// The secret key may be in a public repository, so it must not work on a public host.
		const headers = new Headers(request.headers);
		headers.delete("Authorization");
		const withoutKey = new Request(request, { headers });
		const response = await toBrowser(withoutKey, path, env);
		if (!response) await drain(withoutKey);
		return response;
	}

	class Account extends StripeEmulatorAccount<Env> {
		protected override readonly keys = options.keys ?? defaultKeys;

		protected override webhookEndpoints(): readonly WebhookEndpoint[] {
			const { webhooks } = options;
			if (!webhooks) return super.webhookEndpoints();
			const { events = ["*"] } = webhooks;
			if ("url" in webhooks) return [{ url: webhooks.url, events, fetch: (request, init) => fetch(request, init) }];
			// the host's default export; only the path of the URL is used
			const host: Fetcher | undefined = Reflect.get(this.ctx.exports ?? {}, "default");
			if (!host) throw new Error("Webhooks to a path require a compatibility_date of 2025-11-17 or later.");
			return [{ url: `http://localhost${webhooks.path}`, events, fetch: (request, init) => host.fetch(request, init) }];
		}
	}

	return {
		Account,
		api:
			(env: Env): typeof fetch =>
			(input: RequestInfo | URL, init?: RequestInit) =>
				openAccount(env).fetch(new Request(input, init)),
		async fetch(request: Request, env: Env): Promise<Response | null> {
			const { pathname, hostname } = new URL(request.url);
			if (!pathname.startsWith(`${basePath}/`)) return null;
			const response = await respond(request, pathname.slice(basePath.length), hostname, env);
			if (response) return withSecurityHeaders(response);
			await drain(request);
			return withSecurityHeaders(new Response("Not found", { status: 404 }));
		},
	};
}

function isLoopback(hostname: string): boolean {
	return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) || hostname.endsWith(".localhost");
}
