import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server.node";
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from "react-router";
import stylesheet from "./app.css?url";
import { DocumentContext } from "./frame/document-context.ts";
import { logError } from "./http/log.server.ts";
import { requestContext } from "./http/request-context.server.ts";
import type { PageCode } from "./ui/page-code.ts";

/** The same for every request: the build determines it. */
let pages: Record<string, PageCode> | undefined;

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
	pages ??= listPages(entryContext.manifest);
	const { origin } = new URL(request.url);
	const body = await renderToReadableStream(
		<DocumentContext value={{ nonce, url: origin + route.path, pages }}>
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

/** Returns what page-code.ts reads: the code of each page, by the pattern of its route, without the files that every page
 *  loads. */
function listPages({ entry, routes }: EntryContext["manifest"]): Record<string, PageCode> {
	const pages: Record<string, PageCode> = {};
	const common = [entry.module, ...entry.imports, ...(routes["root"]?.imports ?? [])];
	for (const route of Object.values(routes)) {
		const pattern = route?.index ? "/" : route?.path;
		// a resource route has no code, but React Router imports the one to which the header's form is sent
		const hasCode = import.meta.env.DEV || route?.imports?.length || route?.id === "routes/logout";
		if (!route || !pattern || !hasCode) continue;
		const { id, hasLoader, module, imports = [] } = route;
		pages[pattern] = { id, hasLoader, files: [module, ...imports.filter((file) => !common.includes(file))] };
	}
	return pages;
}

/** Logs an error that a loader or action threw, unless it is a Response: a bug or a failure, never a shopper's
 *  mistake. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
	const where = `${request.method} ${context.get(requestContext).route.pattern}`;
	if (!request.signal.aborted) logError("error", error, { where });
};
