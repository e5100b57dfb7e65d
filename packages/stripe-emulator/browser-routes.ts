import { rateLimited } from "./api/errors.ts";
import { baseUrlHeader } from "./base-url.ts";
import stripeScript from "./browser/stripe.ts?script";
import { respondFromBank } from "./frames/bank-page.ts";
import { cardFrame } from "./frames/card-frame.ts";
import { formFrame } from "./frames/form-frame.ts";
import { receiptPage } from "./frames/receipt-page.ts";
import { threeDSecureFrame } from "./frames/three-d-secure-frame.ts";

/** The part of the account's Durable Object stub that this module uses. */
interface Account {
	fetch(request: Request): Promise<Response>;
	/** Returns the Receipt of a captured charge as JSON, or null. */
	receipt(chargeId: string): Promise<string | null>;
}

/** Serves Stripe.js, the frames and the API to a shopper's browser. `path` is relative to the emulator's base path.
 *  Returns null for any other path or method. */
export async function respondToBrowser(
	request: Request,
	path: string,
	{ account, frameAncestors }: { account: Account; frameAncestors: string },
): Promise<Response | null> {
	const url = new URL(request.url);
	const baseUrl = url.origin + url.pathname.slice(0, -path.length);
	if (path.startsWith("/v1/")) return respondFromApi(request, account, new URL(path + url.search, url), baseUrl);
	if (path === "/authenticate" && ["GET", "HEAD", "POST"].includes(request.method)) {
		return respondFromBank(request, account);
	}
	if (request.method !== "GET" && request.method !== "HEAD") return null;
	if (path === "/stripe.js") {
		return new Response(stripeScript, {
			headers: {
				"Content-Type": "text/javascript; charset=utf-8",
				"Cache-Control": "no-cache",
				// a page of another origin must be able to load the script whose frames it can contain
				...(frameAncestors !== "'self'" && { "Cross-Origin-Resource-Policy": "cross-origin" }),
			},
		});
	}
	const [, charge] = /^\/receipts\/(\w+)$/.exec(path) ?? [];
	if (charge) return receiptPage(JSON.parse((await account.receipt(charge)) ?? "null"));
	return framedBy(frameAncestors, (await frames[path]?.(url)) ?? null);
}

const frames: Readonly<Record<string, (url: URL) => Promise<Response> | null>> = {
	"/card-frame": cardFrame,
	"/form-frame": formFrame,
	"/three-d-secure": threeDSecureFrame,
};

function framedBy(ancestors: string, frame: Response | null): Response | null {
	const { headers } = frame ?? {};
	headers?.set("Content-Security-Policy", `${headers.get("Content-Security-Policy")}; frame-ancestors ${ancestors}`);
	return frame;
}

/** Every origin is allowed, because the sandboxed frames call the API from an opaque origin. The Authorization header
 *  is not allowed, so that no other origin can use the secret key. */
const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Request-Id" };

async function respondFromApi(request: Request, account: Account, url: URL, baseUrl: string): Promise<Response> {
	if (request.method === "OPTIONS") {
		const allowed = {
			"Access-Control-Allow-Methods": "GET, POST",
			"Access-Control-Allow-Headers": "Content-Type",
			"Access-Control-Max-Age": "300",
		};
		return new Response(null, { status: 204, headers: { ...cors, ...allowed } });
	}
	const forwarded = new Request(url, request);
	forwarded.headers.set(baseUrlHeader, baseUrl);
	const { body, headers: own, status } = await account.fetch(forwarded);
	const headers = new Headers(own);
	for (const [name, value] of Object.entries(cors)) headers.set(name, value);
	return new Response(body, { status, headers });
}

/** Returns the API's 429 response with CORS headers. `retryAfter` is in seconds. */
export function rateLimitedResponse(retryAfter: number): Response {
	const { body, status } = rateLimited();
	return Response.json({ error: body }, { status, headers: { ...cors, "Retry-After": String(retryAfter) } });
}
