import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from "react-router";
import { logError } from "./http/log.server.ts";
import { NonceContext, nonceContext } from "./http/nonce.ts";

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
	return new Response(body, { status, headers });
}

/** A loader or action threw something that is not a Response: a bug or a failure, never a shopper's mistake. */
export const handleError: HandleErrorFunction = (error, { request }) => {
	const where = `${request.method} ${new URL(request.url).pathname}`;
	if (!request.signal.aborted) logError("error", error, { where });
};
