import { rateLimited } from "./api/errors.ts";
import stripeScript from "./browser/stripe.ts?script";
import { askAccount } from "./entrypoint.ts";
import { cardFrame } from "./frames/card-frame.ts";
import { threeDSecureFrame } from "./frames/three-d-secure-frame.ts";

/** Answers what a shopper's browser may ask of Stripe, on the shop's own origin under /stripe-emulator/: Stripe.js, the
 *  frames, and the API they call. `path` is what comes after that; null when it is none of these. */
export async function answerBrowser(request: Request, path: string, env: Env): Promise<Response | null> {
	const url = new URL(request.url);
	if (path.startsWith("/v1/")) return answerApi(request, env, url, path);
	if (request.method !== "GET" && request.method !== "HEAD") return null;
	if (path === "/stripe.js") {
		return new Response(stripeScript, {
			headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" },
		});
	}
	if (path === "/three-d-secure") return threeDSecureFrame(url);
	return path === "/card-frame" ? cardFrame(url) : null;
}

/** The frames are sandboxed and so of another origin than the API. No page may send an Authorization header, so the
 *  secret key is of use to programs only. */
const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Request-Id" };

async function answerApi(request: Request, env: Env, url: URL, path: string): Promise<Response> {
	if (request.method === "OPTIONS") {
		const allowed = {
			"Access-Control-Allow-Methods": "GET, POST",
			"Access-Control-Allow-Headers": "Content-Type",
			"Access-Control-Max-Age": "300",
		};
		return new Response(null, { status: 204, headers: { ...cors, ...allowed } });
	}
	const answer = await askAccount(env, new Request(new URL(path + url.search, url), request));
	const headers = new Headers(answer.headers);
	for (const [name, value] of Object.entries(cors)) headers.set(name, value);
	return new Response(answer.body, { status: answer.status, headers });
}

/** Returns the API's response to a browser that calls it too often, with `headers` of the caller's. */
export function refuseRate(headers: Record<string, string>): Response {
	const { body, status } = rateLimited();
	return Response.json({ error: body }, { status, headers: { ...cors, ...headers } });
}
