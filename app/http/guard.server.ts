import { problem } from "./problem.ts";

/** What a path takes. Paths not in the table are pages: GET and HEAD, no body. */
interface Rule {
	methods: string[];
	/** Bytes; counted as they arrive, since Content-Length may lie or be absent. */
	bodyLimit: number;
}

const page: Rule = { methods: ["GET", "HEAD"], bodyLimit: 0 };
const json: Rule = { methods: ["POST"], bodyLimit: 16 * 1024 };

const rules = new Map<string, Rule>([
	["/login", { methods: ["GET", "HEAD", "POST"], bodyLimit: 16 * 1024 }],
	["/logout", { methods: ["POST"], bodyLimit: 1024 }],
	["/payments/create", { methods: ["POST"], bodyLimit: 0 }],
	["/payments/place", json],
	["/payments/settle", json],
]);

/** Lets a request through to React Router, its body read and measured, or answers it with a refusal. React Router
 *  checks none of this for resource routes: a cross-site POST would run, PUT would run the action, and no body
 *  is too large. */
export async function guard(request: Request): Promise<Request | Response> {
	const url = new URL(request.url);
	const rule = rules.get(routePath(url.pathname)) ?? page;
	if (!rule.methods.includes(request.method)) {
		const refusal = problem(405, "method_not_allowed", `Use ${rule.methods.join(" or ")}.`);
		refusal.headers.set("Allow", rule.methods.join(", "));
		return refusal;
	}
	if (request.method === "GET" || request.method === "HEAD") return request;
	if (!isSameOrigin(request, url)) {
		return problem(403, "cross_origin", "This request came from another site and was not carried out.");
	}
	if (!request.body) return request;
	const body = await readAtMost(request.body, rule.bodyLimit);
	if (!body) return problem(413, "body_too_large", `The body may have at most ${rule.bodyLimit} bytes.`);
	return new Request(request, { body });
}

/** The path of the route that React Router will run: its client asks for /login as /login.data. */
function routePath(pathname: string): string {
	return pathname.replace(/(?:\/_)?\.data$/, "").replace(/(?<=.)\/+$/, "");
}

/** Every browser of today sends Sec-Fetch-Site, and older ones Origin with each POST. A request with neither is not
 *  from a page and so carries nobody's cookies but its sender's. */
function isSameOrigin(request: Request, url: URL): boolean {
	const site = request.headers.get("Sec-Fetch-Site");
	if (site !== null) return site === "same-origin";
	const origin = request.headers.get("Origin");
	return origin === null || origin === url.origin;
}

async function readAtMost(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
	const bytes = new Uint8Array(limit);
	let length = 0;
	for await (const chunk of stream) {
		if (length + chunk.byteLength > limit) return null;
		bytes.set(chunk, length);
		length += chunk.byteLength;
	}
	return bytes.slice(0, length);
}
