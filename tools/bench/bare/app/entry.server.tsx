import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server.node";
import { type EntryContext, ServerRouter } from "react-router";

export default async function handleRequest(
	request: Request,
	status: number,
	headers: Headers,
	entryContext: EntryContext,
): Promise<Response> {
	const body = await renderToReadableStream(<ServerRouter context={entryContext} url={request.url} />, {
		signal: request.signal,
	});
	if (isbot(request.headers.get("User-Agent"))) await body.allReady;
	headers.set("Content-Type", "text/html");
	return new Response(body, { status, headers });
}
