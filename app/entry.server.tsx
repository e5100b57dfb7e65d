import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server.node";
import {
	type EntryContext,
	type HandleDataRequestFunction,
	type HandleErrorFunction,
	type RouterContextProvider,
	ServerRouter,
} from "react-router";
import stylesheet from "./app.css?url";
import { sessionCookieName } from "./auth/sessions.server.ts";
import { logError } from "./http/log.server.ts";
import { isPrefetch } from "./http/prefetch.server.ts";
import { requestContext } from "./request-context.server.ts";
import { DocumentContext } from "./shell/document.tsx";

/** Renders a page. The response streams, except for bots, which may not wait for the rest. React's build for Node
 *  writes strings into one buffer; its build for Workers calls TextEncoder.encode for each attribute name and value. */
export default async function handleRequest(
	request: Request,
	status: number,
	headers: Headers,
	entryContext: EntryContext,
	context: RouterContextProvider,
): Promise<Response> {
	const { nonce, route } = context.get(requestContext);
	const body = await renderToReadableStream(
		<DocumentContext value={{ nonce, url: new URL(request.url).origin + route.path }}>
			<ServerRouter context={entryContext} url={request.url} nonce={nonce} />
		</DocumentContext>,
		{ nonce, signal: request.signal, onError: (error) => logError("error", error, { where: "render" }) },
	);
	if (isbot(request.headers.get("User-Agent"))) await body.allReady;
	headers.set("Content-Type", "text/html; charset=utf-8");
	// the stylesheet blocks the first paint; Cloudflare's edge sends this link as an early hint before it calls the
	// Worker
	headers.set("Link", `<${stylesheet}>; rel=preload; as=style`);
	return new Response(body, { status, headers });
}

/** Lets a guest's browser reuse a link's prefetched data when the link is clicked. `Vary: Cookie` prevents the reuse
 *  after the guest signs in. */
export const handleDataRequest: HandleDataRequestFunction = (response, { request, context }) => {
	if (isPrefetch(request) && response.ok && context.get(requestContext).cookies.get(sessionCookieName) === null) {
		response.headers.set("Cache-Control", "private, max-age=10");
		response.headers.append("Vary", "Cookie");
	}
	return response;
};

/** Logs an error that a loader or action threw, unless it is a Response: a bug or a failure, never a shopper's
 *  mistake. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
	const where = `${request.method} ${context.get(requestContext).route.pattern}`;
	if (!request.signal.aborted) logError("error", error, { where });
};
