import type { NamedWorker } from "../support/built-worker.ts";

/** Returns a Worker that responds in place of the shop to the requests that a cookie names: `intercept` has a status and a
 *  pattern for paths. */
export const interceptor = (shop: string): NamedWorker => ({
	name: "interceptor",
	modules: [{ type: "ESModule", path: "interceptor.js", contents: script }],
	compatibilityDate: "2026-10-01",
	serviceBindings: { SHOP: shop },
});

const script = `export default {
	fetch(request, { SHOP }) {
		const [, value = ""] = /(?:^|; )intercept=([^;]*)/.exec(request.headers.get("Cookie") ?? "") ?? [];
		const [status, pattern] = decodeURIComponent(value).split(" ");
		if (!pattern || !new RegExp(pattern).test(new URL(request.url).pathname)) return SHOP.fetch(request);
		const body = status === "204" ? null : "<h1>Sign in to this network</h1>";
		return new Response(body, { status: Number(status), headers: { "Content-Type": "text/html" } });
	},
}`;
