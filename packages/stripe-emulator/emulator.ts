import { drain, maxPublicBytes, readAtMost } from "./body.ts";
import { errorToBrowser, respondToBrowser } from "./browser-routes.ts";
import type { ConsoleExtension } from "./controls/console-extension.ts";
import { respondFromConsole } from "./controls/console-routes.ts";
import { type EmulatorEnv, openAccount } from "./env.ts";
import { invalidRequest, rateLimited } from "./errors.ts";
import { withSecurityHeaders } from "./security-headers.ts";

interface EmulatorOptions<Env extends EmulatorEnv> {
	/** The base path of every emulator URL, such as "/stripe". */
	basePath: string;
	/** Returns whether the emulator is enabled; if not, every path below `basePath` returns 404. Default: always. */
	isEnabled?(env: Env): boolean;
	/** Returns the public host names on which browsers can pay. Default: none, so that only loopback host names
	 *  work. */
	publicHosts?(env: Env): readonly string[];
	/** Counts an API call on a public host. Returns null if the call is allowed, or `Retry-After` in seconds. */
	limitCall?(request: Request, env: Env): Promise<number | null>;
	/** The host's additions to the console. */
	console?: ConsoleExtension<Env>;
}

/** Creates the handler that serves the emulator in a host's Worker. Its `fetch` returns null for a path outside
 *  `basePath`.
 *
 *  On loopback host names, it serves everything. On public hosts, it serves what a shopper's browser needs: Stripe.js,
 *  the frames and the API with a publishable key. On any other host name, it returns 404. */
export function stripeEmulator<Env extends EmulatorEnv>(options: EmulatorOptions<Env>) {
	const { basePath, isEnabled = () => true, publicHosts = () => [], limitCall, console: extension = {} } = options;

	async function respond(request: Request, path: string, hostname: string, env: Env): Promise<Response | null> {
		if (!isEnabled(env)) return null;
		if (isLoopback(hostname)) {
			return (
				(await respondFromConsole(request, path, env, extension)) ?? respondToBrowser(request, path, openAccount(env))
			);
		}
		if (!publicHosts(env).includes(hostname)) return null;
		const { method, url } = request;
		if (!path.startsWith("/v1/") || method === "OPTIONS") return respondToBrowser(request, path, openAccount(env));
		const retryAfter = (await limitCall?.(request, env)) ?? null;
		if (retryAfter !== null) {
			await drain(request);
			return errorToBrowser(rateLimited(), { "Retry-After": String(retryAfter) });
		}
		const body = await readAtMost(request, maxPublicBytes);
		if (!("text" in body)) return errorToBrowser(invalidRequest(body.message, {}, body.status));
		if (url.length > maxPublicBytes) {
			return errorToBrowser(invalidRequest(`The URL exceeds ${maxPublicBytes} bytes.`, {}, 413));
		}
		// Without headers: the secret key may be in a public repository, so it must not work on a public host.
		const call = new Request(url, { method, body: method === "POST" ? body.text : null });
		return respondToBrowser(call, path, openAccount(env));
	}

	return {
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
