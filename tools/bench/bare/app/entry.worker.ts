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
			env: { ...env, ASSETS: { fetch: nothingBehind } },
			data: {},
			params: {},
			functionPath: "",
			next: nothingBehind,
			waitUntil: (promise) => ctx.waitUntil(promise),
			passThroughOnException: () => ctx.passThroughOnException(),
		}),
} satisfies ExportedHandler<Env>;

function nothingBehind(): never {
	throw new Error("There is nothing behind this Worker.");
}
