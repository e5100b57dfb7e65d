import { createRequestHandler } from "@react-router/cloudflare";
import { RouterContextProvider } from "react-router";
import { d1Context } from "./d1.ts";

const handle = createRequestHandler<Env>({
	build: () => import("virtual:react-router/server-build"),
	mode: import.meta.env.MODE,
	getLoadContext({ context }) {
		const provider = new RouterContextProvider();
		provider.set(d1Context, context.cloudflare.env.DB);
		return provider;
	},
});

export default {
	fetch: (request, env, ctx) =>
		handle({
			request,
			env: { ...env, ASSETS: { fetch: notAvailable } },
			data: {},
			params: {},
			functionPath: "",
			next: notAvailable,
			waitUntil: (promise) => ctx.waitUntil(promise),
			passThroughOnException: () => ctx.passThroughOnException(),
		}),
} satisfies ExportedHandler<Env>;

function notAvailable(): never {
	throw new Error("This Worker has no assets and no next handler.");
}
