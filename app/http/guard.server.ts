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
}

const page: Rule = { methods: ["GET", "HEAD"], bodyLimit: 0 };
const json: Rule = { methods: ["POST"], bodyLimit: 16 * 1024 };

const rules = new Map<string, Rule>([
	["/login", { methods: ["GET", "HEAD", "POST"], bodyLimit: 16 * 1024 }],
	["/logout", { methods: ["POST"], bodyLimit: 1024 }],
	["/orders/feed", { methods: ["GET"], bodyLimit: 0, upgrade: true }],
	["/payments/create", { methods: ["POST"], bodyLimit: 0 }],
	["/payments/place", json],
	["/payments/settle", json],
	["/stripe/webhook", { methods: ["POST"], bodyLimit: 256 * 1024, crossOrigin: true }],
]);

/** Lets a request through to React Router, its body read and measured, or answers it with a refusal. React Router
 *  checks none of this for resource routes: a cross-site POST would run, PUT would run the action, and no body
 *  is too large. */
export async function guard(request: Request): Promise<Request | Response> {
	const url = new URL(request.url);
	const rule = rules.get(routePath(url.pathname)) ?? page;
	// before any refusal: who is answered while still sending may see the connection break and not the answer
	const body = request.body && (await readAtMost(request.body, rule.bodyLimit));

	if (!rule.methods.includes(request.method)) {
		const refusal = refuse(request, 405, "method_not_allowed", `This address takes ${rule.methods.join(" or ")}.`);
		refusal.headers.set("Allow", rule.methods.join(", "));
		return refusal;
	}
	// what React Router is asked for as .data it answers with data, and a socket is none
	const opensSocket = request.headers.get("Upgrade")?.toLowerCase() === "websocket" && !url.pathname.endsWith(".data");
	if (rule.upgrade && !opensSocket) {
		const refusal = refuse(request, 426, "upgrade_required", "This address opens a WebSocket and nothing else.");
		refusal.headers.set("Upgrade", "websocket");
		return refusal;
	}
	// browsers open a WebSocket to any site, with its cookies; they always say from where
	if (rule.upgrade && request.headers.get("Origin") !== url.origin) {
		return refuse(request, 403, "cross_origin", "This feed opens for the shop's own pages.");
	}
	if (request.method === "GET" || request.method === "HEAD") return request;
	if (!rule.crossOrigin && !isSameOrigin(request, url)) {
		return refuse(request, 403, "cross_origin", "This request came from another site and was not carried out.");
	}
	if (body === "too_large") {
		return refuse(
			request,
			413,
			"body_too_large",
			`A request to this address may have ${rule.bodyLimit} bytes at most.`,
		);
	}
	return body ? new Request(request, { body }) : request;
}

/** The path of the route that React Router will run. Its client asks for /login as /login.data, and it takes /LOGIN
 *  and /%6Cogin for the same. */
function routePath(pathname: string): string {
	const path = decode(pathname).toLowerCase();
	return path.replace(/(?:\/_)?\.data$/, "").replace(/(?<=.)\/+$/, "");
}

/** Escapes that mean nothing make no route, and stay. */
function decode(pathname: string): string {
	try {
		return decodeURIComponent(pathname);
	} catch {
		return pathname;
	}
}

/** Every browser of today sends Sec-Fetch-Site, and older ones Origin with each POST. A request with neither is not
 *  from a page and so carries nobody's cookies but its sender's. */
function isSameOrigin(request: Request, url: URL): boolean {
	const site = request.headers.get("Sec-Fetch-Site");
	if (site !== null) return site === "same-origin";
	const origin = request.headers.get("Origin");
	return origin === null || origin === url.origin;
}

/** Bytes of a refused body that are waited for. */
const patience = 8 * 1024 * 1024;

/** The body, or "too_large" for one of more than `limit` bytes, which is read on but not kept. */
async function readAtMost(
	stream: ReadableStream<Uint8Array>,
	limit: number,
): Promise<Uint8Array<ArrayBuffer> | "too_large"> {
	const bytes = new Uint8Array(limit);
	let length = 0;
	for await (const chunk of stream) {
		if (length + chunk.byteLength <= limit) bytes.set(chunk, length);
		length += chunk.byteLength;
		if (length > Math.max(limit, patience)) break;
	}
	return length > limit ? "too_large" : bytes.slice(0, length);
}
