import { createRequestHandler } from "@react-router/cloudflare";
import { RouterContextProvider } from "react-router";
import type { RouteMatch } from "./http/route-match.server.ts";
import { type RequestContext, requestContext } from "./request-context.server.ts";

// Runs React Router in the Worker. @react-router/cloudflare is made for Cloudflare Pages: it takes Pages' event in
// place of a request, which could be forwarded to another server, and passes the load context through `getLoadContext`.

/** A request as Cloudflare sends it, with `cf`. */
type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;

/** Returns the paths in routes.ts, and a function that renders a request. */
export async function loadRoutes() {
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
	const render = (request: Request, context: RequestContext, ctx: ExecutionContext) =>
		handle({
			...{ request: toRoute(request, context.route), params: {}, functionPath: "" },
			data: { provider: new RouterContextProvider(new Map([[requestContext, context]])) },
			env: { ASSETS: { fetch: noNextHandler } },
			next: noNextHandler,
			waitUntil: (promise) => ctx.waitUntil(promise),
			passThroughOnException: () => ctx.passThroughOnException(),
		});
	return { patterns: paths.filter((path) => path !== "/*"), render };
}

/** Returns the request as React Router gets it. A path that matches no route becomes /not-found: React Router's
 *  matching takes time quadratic in a path's length, its splat route does not match a line break, and it handles some
 *  paths itself (/__manifest). */
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
