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
import { sessionCookieName } from "./auth/lucia.server.ts";
import { cookiesContext } from "./http/cookies.server.ts";
import { routeOf } from "./http/guard.server.ts";
import { logError } from "./http/log.server.ts";
import { NonceContext, nonceContext } from "./http/nonce.ts";
import { isPrefetch } from "./http/prefetch.server.ts";

/** Renders a page. People get it as it streams; robots, which may not wait for what streams in later, get it whole. */
export default async function handleRequest(
	request: Request,
	status: number,
	headers: Headers,
	entryContext: EntryContext,
	context: RouterContextProvider,
): Promise<Response> {
	const nonce = context.get(nonceContext);
	const body = await renderToReadableStream(
		<NonceContext value={nonce}>
			<ServerRouter context={entryContext} url={request.url} nonce={nonce} />
		</NonceContext>,
		{ nonce, signal: request.signal, onError: (error) => logError("error", error, { where: "render" }) },
	);
	if (isbot(request.headers.get("User-Agent"))) await body.allReady;
	headers.set("Content-Type", "text/html; charset=utf-8");
	// what the first paint waits for: Cloudflare's edge repeats it as an early hint before it asks the Worker
	headers.set("Link", `<${stylesheet}>; rel=preload; as=style`);
	return new Response(body, { status, headers });
}

/** What a guest's browser asks for in advance, when a link is pointed at, it keeps for the click that follows: it would
 *  ask again otherwise, and the page would wait. Not beyond signing in, which changes the cookies. */
export const handleDataRequest: HandleDataRequestFunction = (response, { request, context }) => {
	if (isPrefetch(request) && response.ok && context.get(cookiesContext).get(sessionCookieName) === null) {
		response.headers.set("Cache-Control", "private, max-age=10");
		response.headers.append("Vary", "Cookie");
	}
	return response;
};

/** A loader or action threw something that is not a Response: a bug or a failure, never a shopper's mistake. */
export const handleError: HandleErrorFunction = (error, { request }) => {
	const where = `${request.method} ${routeOf(new URL(request.url))}`;
	if (!request.signal.aborted) logError("error", error, { where });
};
