import { createRequestHandler } from "@react-router/cloudflare";
import { RouterContextProvider } from "react-router";
import { type RequestContext, requestContext } from "#app/http/request-context.server.ts";
import type { RouteMatch } from "#app/http/route-match.server.ts";

/** A request as Cloudflare sends it, with `cf`. */
type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;

/** Returns the paths in routes.ts, and a function that renders a request with React Router. */
export async function loadRoutes() {
	const build = await import(
		"virtual:react-router/server-build" // run `npm run build` first
	);
	const paths = Object.values(build.routes).flatMap((route) =>
		route?.index ? "/" : route?.path ? `/${route.path}` : [],
	);
	const handle = createRequestHandler<{ shop: RequestContext }>({
		build,
		mode: import.meta.env.MODE,
		getLoadContext: ({ context }) =>
			new RouterContextProvider(new Map([[requestContext, context.cloudflare.env.shop]])),
	});
	// @react-router/cloudflare expects an event of Cloudflare Pages. It passes `env` to getLoadContext, and never calls or
	// reads what is in `unused`
	const unused = { params: {}, functionPath: "", data: {}, next: fail, passThroughOnException: fail };
	const render = (request: Request, context: RequestContext) =>
		handle({
			...unused,
			request: toRoute(request, context.route),
			env: { shop: context, ASSETS: { fetch: fail } },
			waitUntil: context.waitUntil,
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

/** `new Request(request)` copies `cf`, but its type, which browsers and Workers share, does not declare this. */
const isIncoming = (request: Request): request is IncomingRequest => "cf" in request;

function fail(): never {
	throw new Error("There is no server behind this Worker; its assets are served before it runs.");
}
