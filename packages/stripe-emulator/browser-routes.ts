import stripeScript from "./browser/stripe.ts?script";
import type { ApiError } from "./errors.ts";
import { cardFrame } from "./frames/card-frame.ts";
import { threeDSecureFrame } from "./frames/three-d-secure-frame.ts";

/** The part of the account's Durable Object stub that this module uses. */
interface Account {
	fetch(request: Request): Promise<Response>;
}

/** Serves Stripe.js, the frames and the API to a shopper's browser. `path` is relative to the emulator's base path.
 *  Returns null for any other path or method. */
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

/** Every origin is allowed, because the sandboxed frames call the API from an opaque origin. The Authorization header
 *  is not allowed, so that no other origin can use the secret key. */
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

/** Returns the API's response to an error that occurs before the account is called, with CORS headers. */
export function errorToBrowser({ body, status }: ApiError, headers: Record<string, string> = {}): Response {
	return Response.json({ error: body }, { status, headers: { ...cors, ...headers } });
}
