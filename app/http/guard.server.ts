import { addressOf, isRateLimited, retryLater } from "./rate-limit.server.ts";
import { readAtMost } from "./request-body.server.ts";
import type { Services } from "./services.server.ts";

/** The requests that a route accepts. */
export interface RequestRule {
	methods: string[];
	/** Maximum size of the body, in bytes. */
	maxBody: number;
	contentType?: RegExp;
	/** The sender is not a page and authenticates itself by other means, such as a signature. */
	isCrossOrigin?: true;
	/** The route accepts only WebSocket upgrades. */
	isWebSocket?: true;
	/** The requests of an IP address to this route are limited (RATE_LIMIT_PER_ADDRESS in wrangler.toml). */
	limitsAddress?: true;
	/** The page is the same for all guests, and may be cached for them. */
	isCached?: true;
	/** The page's form works only in a browser that keeps cookies. */
	needsCookies?: true;
}

/** The reason why a request is rejected: `code` is for programs, `message` for people. */
export interface Rejection {
	status: number;
	code: string;
	message: string;
	headers?: Record<string, string>;
}

/** Returns the request with its body read, a redirect to HTTPS, or the reason why the request is rejected. React Router
 *  checks none of this for resource routes: a cross-site POST would run, PUT would run the action, and a body could
 *  have any size. */
export async function guard(
	request: Request,
	pattern: string,
	rule: RequestRule,
	services: Pick<Services, "rateLimits" | "timeouts">,
): Promise<Request | Response | Rejection> {
	const url = new URL(request.url);
	// read the body first: responding mid-upload can reset the connection, and the client never sees the response
	const body = request.body && (await readAtMost(request.body, rule.maxBody, services.timeouts.response));
	const isRead = request.method === "GET" || request.method === "HEAD";

	// only Cloudflare sends CF-Visitor, so the local server keeps working without TLS
	if (url.protocol === "http:" && request.headers.has("CF-Visitor")) {
		if (isRead) return new Response(null, { status: 301, headers: { Location: url.href.replace("http:", "https:") } });
		return reject(403, "https_required", "This request was not encrypted and was not processed.");
	}
	if (body === "broken_off")
		return reject(400, "body_broken_off", "The connection was lost before the request was complete.");
	if (body === "too_slow") return reject(408, "body_too_slow", "This request took too long to arrive.");
	if (!rule.methods.includes(request.method)) {
		// a person who opens a link sees this message on a page
		const message = isRead
			? "This address only works from a button in the shop. Nothing was changed."
			: "This address doesn't accept what was sent to it. Nothing was changed.";
		return reject(405, "method_not_allowed", message, { Allow: rule.methods.join(", ") });
	}
	const refusal = rule.isWebSocket ? refuseUpgrade(request, url) : null;
	if (refusal) return refusal;
	if (isRead) return request;

	// `.data` requests come only from pages, so they must be same-origin on every route
	if ((!rule.isCrossOrigin || isData(url)) && !isSameOrigin(request, url))
		return reject(403, "cross_origin", "This request came from another site and was not processed.");
	if (rule.limitsAddress && (await isRateLimited(services, "address", `${pattern} ${addressOf(request)}`))) {
		const message = "Too many requests from your network. Please try again in a minute.";
		return reject(429, "too_many_requests", message, retryLater);
	}
	if (body === "too_large")
		return reject(413, "body_too_large", `A request to this address can have at most ${rule.maxBody} bytes.`);
	if (rule.contentType && !rule.contentType.test(request.headers.get("Content-Type") ?? ""))
		return reject(415, "wrong_content_type", "This address does not accept this content type.");
	return body ? new Request(request, { body: await body.arrayBuffer() }) : request;
}

function reject(status: number, code: string, message: string, headers?: Record<string, string>): Rejection {
	return { status, code, message, ...(headers && { headers }) };
}

/** Returns why a WebSocket upgrade is rejected, or null. Browsers let any site open a WebSocket, but always send
 *  Origin. A `.data` request gets data back, so it is never an upgrade. */
function refuseUpgrade(request: Request, url: URL): Rejection | null {
	if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket" || isData(url))
		return reject(426, "upgrade_required", "This address accepts only WebSocket connections.", {
			Upgrade: "websocket",
		});
	if (request.headers.get("Origin") === url.origin) return null;
	return reject(403, "cross_origin", "This feed is only for the shop's own pages.");
}

const isData = ({ pathname }: URL) => pathname.endsWith(".data");

/** Returns whether a request is same-origin: Sec-Fetch-Site and Origin match the shop, or are absent, as in requests that
 *  are not from a page. With Referrer-Policy: no-referrer, which a proxy may add, a form's Origin is null. */
function isSameOrigin(request: Request, url: URL): boolean {
	const site = request.headers.get("Sec-Fetch-Site");
	const origin = request.headers.get("Origin") ?? url.origin;
	const isOwn = origin === url.origin || (origin === "null" && site === "same-origin");
	return isOwn && (site === null || site === "same-origin");
}
