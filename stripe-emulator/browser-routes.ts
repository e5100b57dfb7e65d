import stripeScript from "./browser/stripe.ts?script";
import { askAccount } from "./entrypoint.ts";
import { cardFrame } from "./frames/card-frame.ts";
import { threeDSecureFrame } from "./frames/three-d-secure-frame.ts";

const prefix = "/stripe-emulator";

/** Answers what a browser may ask of Stripe, on the shop's own origin under /stripe-emulator/: Stripe.js, the frame
 *  with the card fields, and the API they call. Only on loopback host names: what opens the emulated account stands
 *  in its source. Anything else is 404. */
export async function answerBrowser(request: Request, env: Env): Promise<Response> {
	const url = new URL(request.url);
	const path = url.pathname.slice(prefix.length);
	if (!isLoopback(url.hostname)) return notFound();
	if (path.startsWith("/v1/")) return answerApi(request, env, url, path);
	if (request.method !== "GET" && request.method !== "HEAD") return notFound();
	if (path === "/stripe.js") {
		return new Response(stripeScript, {
			headers: {
				"Content-Type": "text/javascript; charset=utf-8",
				"Cache-Control": "no-cache",
				"X-Content-Type-Options": "nosniff",
			},
		});
	}
	if (path === "/three-d-secure") return threeDSecureFrame(url);
	return (path === "/card-frame" && cardFrame(url)) || notFound();
}

/** The card frame is sandboxed and so of another origin than the API: hence the CORS headers. They let no page send
 *  an Authorization header, so the secret key is of use to programs only. */
async function answerApi(request: Request, env: Env, url: URL, path: string): Promise<Response> {
	const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Request-Id" };
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

function isLoopback(hostname: string): boolean {
	return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) || hostname.endsWith(".localhost");
}

function notFound(): Response {
	return new Response("Not found", { status: 404, headers: { "Cache-Control": "no-store" } });
}
