import type { Services } from "#app/services.server.ts";
import { addressOf, isRateLimited, retryLater } from "./rate-limit.server.ts";
import { refuse } from "./refusal.server.ts";

/** What a path takes. Paths not in the table are pages: GET and HEAD, no body. */
interface Rule {
	methods: string[];
	/** Bytes; counted as they arrive, since Content-Length may lie or be absent. */
	bodyLimit: number;
	/** Whoever sends is not a page, and proves itself by other means. */
	crossOrigin?: true;
	/** A WebSocket opens here, and nothing else. */
	upgrade?: true;
	/** What the body has to call itself. */
	contentType?: RegExp;
	/** Each costs calls to Stripe, so that one address may make only so many a minute. This is what a shopper who has made
	 *  too many is told of their money. */
	limited?: string;
}

const page: Rule = { methods: ["GET", "HEAD"], bodyLimit: 0 };
const form = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const takesJson: Rule = { methods: ["POST"], bodyLimit: 16 * 1024, contentType: /^application\/json\s*(;|$)/i };
const notCharged = "You have not been charged.";

const rules = new Map<string, Rule>([
	// its tries are counted by its action, which knows the account and keeps the e-mail that was typed
	["/login", { methods: ["GET", "HEAD", "POST"], bodyLimit: 16 * 1024, contentType: form }],
	["/logout", { methods: ["POST"], bodyLimit: 1024 }],
	["/orders/feed", { methods: ["GET"], bodyLimit: 0, upgrade: true }],
	["/payments/create", { methods: ["POST"], bodyLimit: 0, limited: notCharged }],
	["/payments/place", { ...takesJson, limited: notCharged }],
	["/payments/fulfill", { ...takesJson, limited: "Your payment is being checked." }],
	["/stripe/webhook", { methods: ["POST"], bodyLimit: 256 * 1024, crossOrigin: true }],
]);

const pages = ["/", "/checkout", "/payment", "/orders", "/healthz"];
/** Characters of the longest path that is matched to a route. */
const maxPath = 200;

/** Returns the route of a URL as React Router matches it, with `:id` for a product's, or "*" when the path is none of the
 *  shop's. Takes constant time. */
export function routeOf({ pathname }: URL): string {
	if (pathname.length > maxPath) return "*";
	const path = routePath(pathname) || "/";
	if (/^\/product\/[^/]+$/.test(path)) return "/product/:id";
	return rules.has(path) || pages.includes(path) ? path : "*";
}

/** Replaces a path that matches no route by one that React Router matches fast: its time for others may grow with the square
 *  of their length, and its splat route does not match a line break. The browser matches the path as it was sent, so the route
 *  stays the same. */
export function toRoute(request: Request): Request {
	const url = new URL(request.url);
	if (routeOf(url) !== "*") return request;
	const isProduct = /^\/product\/[^/]+$/i.test(url.pathname);
	url.pathname = `${isProduct ? "/product" : ""}/not-found${url.pathname.endsWith(".data") ? ".data" : ""}`;
	// without the body, which may have been read: only GET and HEAD come here
	return new Request(url, { method: request.method, headers: request.headers, signal: request.signal });
}

/** Lets a request through to React Router, its body read and measured, or answers it with a refusal. React Router
 *  checks none of this for resource routes: a cross-site POST would run, PUT would run the action, and no body
 *  is too large. */
export async function guard(
	request: Request,
	services: Pick<Services, "rateLimits" | "timeouts">,
): Promise<Request | Response> {
	const url = new URL(request.url);
	const route = routeOf(url);
	const rule = rules.get(route) ?? page;
	// read the body first: responding mid-upload can reset the connection, and the client never sees the response
	const body = request.body && (await readAtMost(request.body, rule.bodyLimit, services.timeouts.response));
	const isData = url.pathname.endsWith(".data");

	// only Cloudflare says CF-Visitor; one's own machine may do without TLS
	if (url.protocol === "http:" && request.headers.has("CF-Visitor")) return toHttps(request, url);
	if (body === "broken_off") return refuse(request, 400, "body_broken_off", "This request broke off.");
	if (body === "too_slow") return refuse(request, 408, "body_too_slow", "This request took too long to arrive.");
	if (!rule.methods.includes(request.method)) {
		const message = `This address takes ${rule.methods.join(" or ")}.`;
		return refuse(request, 405, "method_not_allowed", message, { Allow: rule.methods.join(", ") });
	}
	// what React Router is asked for as .data it answers with data, and a socket is none
	const opensSocket = request.headers.get("Upgrade")?.toLowerCase() === "websocket" && !isData;
	if (rule.upgrade && !opensSocket) {
		const message = "This address opens a WebSocket and nothing else.";
		return refuse(request, 426, "upgrade_required", message, { Upgrade: "websocket" });
	}
	// browsers open a WebSocket to any site, with its cookies; they always say from where
	if (rule.upgrade && request.headers.get("Origin") !== url.origin) {
		return refuse(request, 403, "cross_origin", "This feed opens for the shop's own pages.");
	}
	if (request.method === "GET" || request.method === "HEAD") return request;
	// nobody but a page asks for data
	if (!(rule.crossOrigin && !isData) && !isSameOrigin(request, url)) {
		return refuse(request, 403, "cross_origin", "This request came from another site and was not carried out.");
	}
	if (rule.limited && (await isRateLimited(services, "address", `${route} ${addressOf(request)}`))) {
		const message = `Too many requests from your network. ${rule.limited} Please try again in a minute.`;
		return refuse(request, 429, "too_many_requests", message, retryLater);
	}
	if (body === "too_large") {
		return refuse(
			request,
			413,
			"body_too_large",
			`A request to this address may have ${rule.bodyLimit} bytes at most.`,
		);
	}
	if (rule.contentType && !rule.contentType.test(request.headers.get("Content-Type") ?? "")) {
		return refuse(request, 415, "wrong_content_type", "This address takes another kind of body.");
	}
	return body ? new Request(request, { body: await body.arrayBuffer() }) : request;
}

/** A page moves for good; what was sent in the clear is not carried out, or nobody would notice. */
function toHttps(request: Request, url: URL): Response {
	if (request.method !== "GET" && request.method !== "HEAD") {
		return refuse(request, 403, "https_required", "This request came unencrypted and was not carried out.");
	}
	return new Response(null, { status: 301, headers: { Location: url.href.replace("http:", "https:") } });
}

/** The path of the route that React Router will run. Its client asks for /login as /login.data, just so, and it takes
 *  /LOGIN and /%6Cogin for the same as /login. */
function routePath(pathname: string): string {
	let path = decode(pathname.replace(/(?:\/_)?\.data$/, "")).toLowerCase();
	while (path.endsWith("/")) path = path.slice(0, -1);
	return path;
}

/** Escapes that mean nothing make no route, and stay; so does an escaped slash, which divides nothing. */
function decode(pathname: string): string {
	try {
		return decodeURIComponent(pathname.replaceAll(/%2f/gi, "%252f"));
	} catch {
		return pathname;
	}
}

/** Every browser of today sends Sec-Fetch-Site, and older ones Origin with each POST: what is there has to be the shop's
 *  own. A request with neither is not from a page and so carries nobody's cookies but its sender's. */
function isSameOrigin(request: Request, url: URL): boolean {
	const site = request.headers.get("Sec-Fetch-Site");
	const origin = request.headers.get("Origin");
	return (site === null || site === "same-origin") && (origin === null || origin === url.origin);
}

/** Bytes of a refused body that are read to its end. */
const maxRefusedBody = 8 * 1024 * 1024;

/** Bytes that one read waits for: a chunk can be a single byte, and each read costs as much as thousands of them. */
const pieceSize = 16 * 1024;

/** Returns the body, "too_large" for one of more than `limit` bytes, which is read on but not kept, "too_slow" for one that
 *  takes longer than `timeout` milliseconds, or "broken_off" for one whose end never came. */
async function readAtMost(
	stream: ReadableStream<Uint8Array<ArrayBuffer>>,
	limit: number,
	timeout: number,
): Promise<Blob | "too_large" | "too_slow" | "broken_off"> {
	const reader = stream.getReader({ mode: "byob" });
	const pieces: Uint8Array<ArrayBuffer>[] = [];
	let length = 0;
	let isLate = false;
	const timer = setTimeout(() => {
		isLate = true;
		void reader.cancel().catch(() => undefined);
	}, timeout);
	try {
		while (length <= Math.max(limit, maxRefusedBody)) {
			const { done, value } = await reader.read(new Uint8Array(pieceSize), { min: pieceSize });
			length += value?.byteLength ?? 0;
			if (value && length <= limit) pieces.push(value);
			if (done) break;
		}
	} catch {
		if (!isLate) return "broken_off";
	} finally {
		clearTimeout(timer);
		void reader.cancel().catch(() => undefined);
	}
	if (isLate) return "too_slow";
	return length > limit ? "too_large" : new Blob(pieces);
}
