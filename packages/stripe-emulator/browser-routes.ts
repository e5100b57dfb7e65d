import { rateLimited } from "./api/errors.ts";
import stripeScript from "./browser/stripe.ts?script";
import { cardFrame } from "./frames/card-frame.ts";
import { threeDSecureFrame } from "./frames/three-d-secure-frame.ts";

/** What a Durable Object's stub is to a caller. */
interface Account {
	fetch(request: Request): Promise<Response>;
}

/** Serves a shopper's browser: Stripe.js, the frames, and the API that they call. `path` is relative to the emulator's
 *  base path. Returns null for any other path. */
export async function respondToBrowser(request: Request, path: string, account: Account): Promise<Response | null> {
	const url = new URL(request.url);
	if (path.startsWith("/v1/")) return respondFromApi(request, account, new URL(path + url.search, url));
	if (request.method !== "GET" && request.method !== "HEAD") return null;
	if (path === "/stripe.js") {
		return new Response(stripeScript, {
			headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" },
		});
	}
	if (path === "/three-d-secure") return threeDSecureFrame(url);
	return path === "/card-frame" ? cardFrame(url) : null;
}

/** The frames are sandboxed, so they call the API from an opaque origin. Authorization is not an allowed header, so that
 *  no page can use the secret key. */
const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Request-Id" };

async function respondFromApi(request: Request, account: Account, url: URL): Promise<Response> {
	if (request.method === "OPTIONS") {
		const allowed = {
			"Access-Control-Allow-Methods": "GET, POST",
			"Access-Control-Allow-Headers": "Content-Type",
			"Access-Control-Max-Age": "300",
		};
		return new Response(null, { status: 204, headers: { ...cors, ...allowed } });
	}
	const { body, headers: own, status } = await account.fetch(new Request(url, request));
	const headers = new Headers(own);
	for (const [name, value] of Object.entries(cors)) headers.set(name, value);
	return new Response(body, { status, headers });
}

/** Returns the API's 429 for a browser. `retryAfter` is in seconds. */
export function rateLimitedResponse(retryAfter: number): Response {
	const { body, status } = rateLimited();
	return Response.json({ error: body }, { status, headers: { ...cors, "Retry-After": String(retryAfter) } });
}
